const words = (text: string): readonly string[] => text.split(', ')

/** Names of agencies. */
export const agencies = words(
  'Northlight Studio, Harbour & Finch, Paper Lantern, Kestrel Works, Common Thread, Blue Hour Studio, Salt & Slate',
)

/** Their clients. */
export const clients = words(
  'Alder Bikes, Brightwater Utilities, Castell Foods, Dunmore Hotels, Eastgate Museum, Fernhill Clinics, ' +
    'Granite Bank, Hollis Outdoor, Inver Ferries, Juniper Tea, Kingsley Schools, Larkspur Homes, Meridian Rail, ' +
    'Nordhaven Port, Oakley & Sons, Pembroke Theatre, Quayside Market, Rowan Insurance, Silverdale Farm, ' +
    'Thornbury Council, Union Street Bakery, Vale Pharmacy, Westwind Energy, Yarrow Press',
)

export const firstNames = words(
  'Amelia, Ben, Clara, Daniel, Elif, Finn, Grace, Hugo, Ines, Jonas, Katya, Leo, Maya, Noah, Olivia, Priya, ' +
    'Quentin, Rosa, Samir, Tess, Umar, Vera, Will, Xenia, Yusuf, Zoe, Aoife, Bruno, Chidi, Dora, Emil, Freya',
)

export const lastNames = words(
  'Abbott, Baker, Castellano, Drummond, Eriksen, Farouk, Gallagher, Hartmann, Ivanova, Jensen, Kaplan, Lindqvist, ' +
    'Moreau, Nakamura, Okafor, Petrov, Quinn, Rossi, Sharma, Thompson, Ueda, Vasquez, Whitfield, Yildiz, Zimmermann',
)

/** Tags that fit any work. */
export const generalTags = words('quick win, blocked, waiting for client, out of scope, follow-up')

/** Tags of time entries. */
export const timeTags = words('meeting, remote, on site, overtime, pairing, travel')

/** The stages of each kind of board, with their categories. */
export const boards = {
  Delivery: [
    ['Backlog', 'todo'],
    ['Ready', 'todo'],
    ['In progress', 'doing'],
    ['Review', 'doing'],
    ['Done', 'done'],
  ],
  Development: [
    ['To do', 'todo'],
    ['In development', 'doing'],
    ['Code review', 'doing'],
    ['Testing', 'doing'],
    ['Released', 'done'],
  ],
  Design: [
    ['Ideas', 'todo'],
    ['Drafting', 'doing'],
    ['Client review', 'doing'],
    ['Approved', 'done'],
  ],
} as const

/** Comments on tasks, in Markdown. */
export const commentTexts = [
  'The client is happy with the second variant.',
  'Waiting for their answer, I asked again this morning.',
  'I would split this: the second half can wait.',
  'Done on my side, please have a look.',
  'This took longer than estimated, see the notes of the time.',
  'Can somebody take the review? I am out from **Thursday**.',
  'Found the cause: an old cache. Fixed.',
  'Two open questions:\n\n- who approves it?\n- by when?',
  'Reopened after their feedback, only small things.',
] as const

/** First sentences of the descriptions of tasks. */
export const descriptionReasons = [
  'The client asked for this in the last status call.',
  'Part of what we promised for the next milestone.',
  'Came up in the weekly; small, but it keeps coming back.',
  'Needed before the next review, so that we have something to show.',
  'Support gets a question about this every week.',
  'Blocks two other tasks, please do not let it lie.',
  'A leftover of the last release.',
  'Comes from the audit report, finding by finding.',
] as const

/** Second sentences of some of them. */
export const descriptionDetails = [
  'Reuse what we have before making anything new.',
  'Keep the first version small; the rest can follow.',
  'The client sends the missing material by the end of the week.',
  'Please ask before changing anything that is already live.',
  'There is a draft in the shared folder, take what is useful.',
  'The budget is tight: stop and tell us when the estimate is used up.',
] as const
