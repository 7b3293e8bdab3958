import { peopleWords } from './people-words.ts'

/** A short table of roles and permissions. */
export function Roles() {
  const { organization, project, notes } = peopleWords.rolesPage
  return (
    <div class="people-roles">
      {[organization, project].map(({ title, roles, rows }) => (
        <table key={title}>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{peopleWords.rolesPage.may}</th>
              {roles.map((role) => (
                <th key={role} scope="col">
                  {role}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([what, ...may]) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                {roles.map((role, place) => (
                  <td key={role}>{may[place] ? peopleWords.rolesPage.yes : peopleWords.rolesPage.no}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  )
}
