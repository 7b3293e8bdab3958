import cluster from 'node:cluster'
import { backupCommand } from './backup.ts'
import type { Command } from './command.ts'
import { doctorCommand } from './doctor.ts'
import { keyCreateCommand } from './key-create.ts'
import { keyListCommand } from './key-list.ts'
import { keyRevokeCommand } from './key-revoke.ts'
import { memberEraseCommand } from './member-erase.ts'
import { migrateCommand } from './migrate.ts'
import { operatorTokenListCommand, operatorTokenNewCommand, operatorTokenRevokeCommand } from './operator-token.ts'
import { orgCreateCommand } from './org-create.ts'
import { orgDeleteCommand } from './org-delete.ts'
import { orgListCommand } from './org-list.ts'
import { orgRestoreCommand } from './org-restore.ts'
import { orgShowCommand } from './org-show.ts'
import { restoreCommand } from './restore.ts'
import { secretKeyChangeCommand } from './secret-key-change.ts'
import { seedCommand } from './seed.ts'
import { serveCommand, workerCommand } from './serve.ts'
import { upgradeCommand } from './upgrade.ts'

/** The table of contents of the command line, in the order of --help. */
export const allCommands: readonly Command[] = [
  serveCommand,
  ...(cluster.isWorker ? [workerCommand] : []),
  migrateCommand,
  upgradeCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  orgCreateCommand,
  orgListCommand,
  orgShowCommand,
  orgDeleteCommand,
  orgRestoreCommand,
  keyCreateCommand,
  keyListCommand,
  keyRevokeCommand,
  memberEraseCommand,
  operatorTokenNewCommand,
  operatorTokenListCommand,
  operatorTokenRevokeCommand,
  secretKeyChangeCommand,
  seedCommand,
]
