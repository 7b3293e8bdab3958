import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onlyOnCitus } from '../../support/citus.ts'
import { archiveOf } from '../../support/slow/archives.ts'
import { onMigratedDatabase } from '../../support/slow/processes.ts'

test(
  'a database of a Citus cluster is not backed up, with a message that says why and what to use instead',
  onlyOnCitus,
  async (t) => {
    const { DATABASE_URL } = await onMigratedDatabase(t)
    await assert.rejects(archiveOf(t, DATABASE_URL), {
      name: 'ArchiveProblem',
      message: /^This database is one of a Citus cluster, whose nodes have no common snapshot: back up each node/,
    })
  },
)
