/** Names of agencies. */
export const agencies = [
  ...['Northlight Studio', 'Harbour & Finch', 'Paper Lantern', 'Kestrel Works', 'Common Thread', 'Field Notes Agency'],
  ...[
    'Blue Hour Studio',
    'Ironbridge Digital',
    'Salt & Slate',
    'Second Draft',
    'Tidewater Collective',
    'Quiet Machine',
  ],
] as const

/** Whom they work for. */
export const clients = [
  ...['Alder Bikes', 'Brightwater Utilities', 'Castell Foods', 'Dunmore Hotels', 'Eastgate Museum', 'Fernhill Clinics'],
  ...['Granite Bank', 'Hollis Outdoor', 'Inver Ferries', 'Juniper Tea', 'Kingsley Schools', 'Larkspur Homes'],
  ...['Meridian Rail', 'Nordhaven Port', 'Oakley & Sons', 'Pembroke Theatre', 'Quayside Market', 'Rowan Insurance'],
  ...[
    'Silverdale Farm',
    'Thornbury Council',
    'Union Street Bakery',
    'Vale Pharmacy',
    'Westwind Energy',
    'Yarrow Press',
  ],
  ...[
    'Ashdown Brewery',
    'Bellweather Labs',
    'Copperfield Tools',
    'Drift Surfwear',
    'Elmstead Library',
    'Foxglove Gardens',
  ],
] as const

export const firstNames = [
  ...['Amelia', 'Ben', 'Clara', 'Daniel', 'Elif', 'Finn', 'Grace', 'Hugo', 'Ines', 'Jonas', 'Katya', 'Leo', 'Maya'],
  ...['Noah', 'Olivia', 'Priya', 'Quentin', 'Rosa', 'Samir', 'Tess', 'Umar', 'Vera', 'Will', 'Xenia', 'Yusuf', 'Zoe'],
  ...['Aoife', 'Bruno', 'Chidi', 'Dora', 'Emil', 'Freya', 'Gita', 'Henrik', 'Isla', 'Jamal', 'Kirsten', 'Liam'],
] as const

export const lastNames = [
  ...['Abbott', 'Baker', 'Castellano', 'Drummond', 'Eriksen', 'Farouk', 'Gallagher', 'Hartmann', 'Ivanova', 'Jensen'],
  ...['Kaplan', 'Lindqvist', 'Moreau', 'Nakamura', 'Okafor', 'Petrov', 'Quinn', 'Rossi', 'Sharma', 'Thompson', 'Ueda'],
  ...['Vasquez', 'Whitfield', 'Yildiz', 'Zimmermann', 'Achebe', 'Brennan', 'Costa', 'Dubois', 'Ellery', 'Fischer'],
  ...['Grant', 'Hughes', 'Iqbal', 'Jovanovic', 'Kowalska', 'Larsen', 'Mercer', 'Novak', 'Osei'],
] as const

/** Tags that fit any work. */
export const generalTags = ['quick win', 'blocked', 'waiting for client', 'out of scope', 'follow-up'] as const

/** Tags that time bears. */
export const timeTags = ['meeting', 'remote', 'on site', 'overtime', 'pairing', 'travel'] as const

/** Boards: the stages of each, with their categories. */
export const boardPatterns = [
  {
    name: 'Delivery',
    stages: [
      ...[['Backlog', 'todo'] as const, ['Ready', 'todo'] as const, ['In progress', 'doing'] as const],
      ...[['Review', 'doing'] as const, ['Done', 'done'] as const],
    ],
  },
  {
    name: 'Development',
    stages: [
      ...[['To do', 'todo'] as const, ['In development', 'doing'] as const, ['Code review', 'doing'] as const],
      ...[['Testing', 'doing'] as const, ['Released', 'done'] as const],
    ],
  },
  {
    name: 'Design',
    stages: [
      ...[['Ideas', 'todo'] as const, ['Drafting', 'doing'] as const, ['Client review', 'doing'] as const],
      ...[['Approved', 'done'] as const],
    ],
  },
] as const
