import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const usage = `npm run migration -- <what-it-is-about>

  makes the next numbered file in server/migrations; letters and hyphens, such as due-dates`

const folder = fileURLToPath(new URL('../server/migrations/', import.meta.url))

const [, , ...words] = process.argv
const subject = words.join('_').toLowerCase().replaceAll('-', '_')
// servers recognize migrations by this format, also those of a newer version
if (/^[a-z]+(_[a-z]+)*$/.test(subject)) make(subject)
else {
  process.stderr.write(`${usage}\n`)
  process.exitCode = 2
}

function make(subject) {
  const numbers = readdirSync(folder).map((name) => Number(/^[0-9]{4}(?=_.*\.sql$)/.exec(name)?.[0] ?? 0))
  const { version } = JSON.parse(readFileSync(new URL('../released.json', import.meta.url), 'utf8'))
  const file = `${folder}${String(Math.max(...numbers) + 1).padStart(4, '0')}_${subject}.sql`
  // the draft must fail on a server, because an applied migration can never be edited
  writeFileSync(
    file,
    `-- What changes, and why: it is read by whoever wonders why the schema is as it is.
-- beside ${version}: yes or no, and why its servers can go on while this is applied and after, or what would go wrong
do $$ begin raise exception 'it is still being written; take this line out once it is done'; end $$;
`,
    { flag: 'wx' },
  )
  process.stdout.write(`server/migrations/${basename(file)}\n`)
}
