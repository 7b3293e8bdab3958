/** What people say about a task, in Markdown. */
export const remarks = [
  ...['The client is happy with the second variant.', 'Waiting for their answer, I asked again this morning.'],
  ...['I would split this: the second half can wait.', 'Done on my side, please have a look.'],
  ...['This took longer than estimated, see the notes of the time.', 'The draft is in the shared folder.'],
  ...['Can somebody take the review? I am out from **Thursday**.', 'Found the cause: an old cache. Fixed.'],
  ...['Agreed in the call: we keep the old wording.', 'Two open questions:\n\n- who approves it?\n- by when?'],
  ...['Reopened after their feedback, only small things.', 'Looks good to me.'],
] as const
