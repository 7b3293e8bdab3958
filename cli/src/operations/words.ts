/** How a name of the API is written on the command line: `dueDate` as `due-date`, `owner.email` as `owner-email`. */
export const kebab = (name: string) =>
  name.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** What is typed for an operation: `projects.members.add` is `projects members add`. */
export const wordsOf = ({ name }: { name: string }) => name.split('.').map(kebab)
