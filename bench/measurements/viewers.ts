/** Members who see a part of the big organization, or all of it by its projects; what they find is compared with the owner's. */
export const viewers = [
  { view: 'twenty', name: 'member of 20' },
  { view: 'twoHundred', name: 'member of 200' },
  { view: 'all', name: 'member of all 400' },
] as const
