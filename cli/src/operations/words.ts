/** A name of the API in tw's spelling: `dueDate` is `due-date`, `owner.email` is `owner-email`. */
export const kebab = (name: string) =>
  name.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The words of an operation: `projects.members.add` is `projects members add`. */
export const wordsOf = ({ name }: { name: string }) => name.split('.').map(kebab)
