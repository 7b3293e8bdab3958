/** Has a write refused where somebody changed the thing since: it goes for this version alone. */
export const unlessChanged = ({ version }: { version: number }) => ({ ifMatch: `"${version}"` })
