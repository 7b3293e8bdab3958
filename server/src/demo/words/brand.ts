import type { ProjectKind } from './kind.ts'

/** How a company looks and speaks. */
export const brand: ProjectKind = {
  name: 'Brand identity',
  description: 'A new look from the logo to the last letterhead, and the guidelines that keep it together.',
  color: '#cf222e',
  tags: ['print', 'illustration', 'typography', 'motion'],
  words: {
    piece: [
      ...['business cards', 'letterhead', 'trade fair stand', 'annual report', 'vehicle lettering', 'office signage'],
      ...['slide template', 'packaging', 'product catalogue', 'work clothes', 'invitation cards', 'social media kit'],
      ...['email signature', 'flags and banners', 'employer brochure'],
    ],
    element: [
      ...['logo', 'word mark', 'colour palette', 'typeface', 'icon set', 'photo style', 'illustration style'],
      ...['grid', 'motion principles', 'sound logo', 'pattern', 'tone of voice'],
    ],
    direction: ['calm direction', 'bold direction', 'handmade direction', 'technical direction', 'heritage direction'],
    variant: ['in one colour', 'on dark ground', 'at favicon size', 'in embroidery', 'on packaging film', 'in motion'],
    group: [
      'long-standing customers',
      'new employees',
      'the sales team',
      'retail partners',
      'the founders',
      'apprentices',
    ],
    supplier: ['printer', 'sign maker', 'photographer', 'illustrator', 'type foundry', 'film crew', 'embroiderer'],
    proof: ['first proof', 'second proof', 'colour proof', 'paper samples', 'final artwork'],
  },
  patterns: {
    design: [
      'Explore the {element} in a {direction}',
      'Draw the {element} {variant}',
      'Design the {piece} in the {direction}',
      'Refine the {element} with the {supplier}',
      'Lay out the {piece} for {group}',
    ],
    bug: ['The {element} does not hold {variant}', 'Correct the {proof} of the {piece}'],
    content: ['Write the guideline on the {element}', 'Edit the text of the {piece} for {group}', 'Name the {element}'],
    research: ['Ask {group} about the {element}', 'Collect {piece} of competitors', 'Show the {direction} to {group}'],
    coordination: ['Brief the {supplier} on the {piece}', 'Present the {element} to {group}'],
    operations: [
      'Check the {proof} of the {piece}',
      'Order the {piece} from the {supplier}',
      'Hand over the {element} {variant}',
    ],
  },
}
