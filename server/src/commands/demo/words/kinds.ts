import type { Discipline } from './disciplines.ts'
import type { boards } from './organization.ts'

/** A kind of project, with the words for its task names. */
export interface ProjectKind {
  /** the name in the words of a client */
  name: string
  description: string
  color: string
  tags: readonly string[]
  /** the boards of such a project: design work is on the last one, all other work on the first */
  boards: readonly (keyof typeof boards)[]
  /** the words for the placeholders in patterns, separated by commas */
  words: Readonly<Record<string, string>>
  /** task names with placeholders such as {page} */
  patterns: Readonly<Partial<Record<Discipline, readonly string[]>>>
}

/** All kinds of projects. */
export const kinds: readonly ProjectKind[] = [
  {
    name: 'Website relaunch',
    description: 'New structure, new design and a new content management system, page by page.',
    color: '#1f6feb',
    tags: ['SEO', 'accessibility', 'content', 'front end'],
    boards: ['Delivery'],
    words: {
      page: 'home page, about page, team page, careers page, contact page, pricing page, case study page, press area',
      component: 'main navigation, footer, hero banner, image gallery, contact form, cookie notice, language switch',
      audience: 'first-time visitors, returning customers, applicants, journalists, investors, partners',
      situation: 'on small phones, in Safari, on slow connections, with the keyboard only, at 200 % zoom',
      language: 'German, French, Spanish, Dutch, Italian',
      role: 'marketing lead, head of HR, managing director, legal team, product owner',
    },
    patterns: {
      design: ['Sketch the {page} for {audience}', 'Design the {component} for the {page}'],
      development: ['Build the {component} of the {page}', 'Connect the {component} of the {page} to the CMS'],
      bug: ['Fix the {component} {situation}', 'The {component} jumps on the {page}'],
      content: ['Write the {page} for {audience}', 'Translate the {page} into {language}'],
      research: ['Watch {audience} use the {page}'],
      coordination: ['Agree on the {page} with the {role}', 'Walk the {role} through the {component}'],
      operations: ['Check the {page} {situation}', 'Redirect the addresses of the old {page}'],
    },
  },
  {
    name: 'Mobile app',
    description: 'One app for iOS and Android: sign-up, booking, messages, payment.',
    color: '#8250df',
    tags: ['iOS', 'Android', 'API', 'release'],
    boards: ['Development', 'Design'],
    words: {
      screen: 'sign-up screen, onboarding tour, booking flow, calendar view, inbox, profile screen, payment sheet, map',
      platform: 'iOS, Android',
      state: 'empty state, loading state, error state, offline state, first-run state',
      ability: 'push notifications, Face ID, deep links, offline sync, dark mode, voice control, widgets',
      trouble: 'crashes after rotating the phone, flickers while scrolling, freezes offline, drains the battery',
      tester: 'five new users, the pilot group, the support team, two blind testers, the field staff',
      release: 'spring release, summer release, autumn release, hotfix release, pilot release',
    },
    patterns: {
      design: ['Draw the {state} of the {screen}', 'Prototype the {screen} for {tester}'],
      development: [
        'Build the {screen} on {platform}',
        'Add {ability} on {platform}',
        'Wire {ability} into the {screen}',
      ],
      bug: ['The {screen} {trouble}', 'The {screen} loses its {state} on {platform}'],
      content: ['Write the texts of the {screen}', 'Word the permission prompt for {ability}'],
      research: ['Test the {screen} with {tester}'],
      coordination: ['Show the {screen} to {tester}', 'Plan the {release} with the client'],
      operations: ['Submit the {release} for {platform}', 'Write the notes of the {release} for {tester}'],
    },
  },
  {
    name: 'Online shop',
    description: 'Catalogue, cart and checkout, with stock and invoices from the merchandise system.',
    color: '#bf8700',
    tags: ['checkout', 'SEO', 'performance', 'payments'],
    boards: ['Delivery'],
    words: {
      part: 'cart, checkout, product page, category page, wish list, customer account, size guide, store finder',
      payment: 'PayPal, Apple Pay, credit cards, invoice, instalments, gift cards',
      goods: 'outdoor jackets, ceramics, running shoes, coffee beans, garden tools, bedding, candles, watches',
      case: 'with an empty cart, for guests, for business customers, for orders abroad, with a declined card',
      mail: 'order confirmation, shipping notice, cart reminder, refund notice, review request, password reset',
      system: 'merchandise system, warehouse, tax service, fraud check, shipping provider, accounting export',
      season: 'spring sale, back-to-school week, Black Friday, Christmas business, summer clearance',
    },
    patterns: {
      design: ['Lay out the {part} {case}', 'Design the {mail} mail', 'Shape the {part} for {goods}'],
      development: ['Build the {part} {case}', 'Accept {payment} in the {part}', 'Sync the {part} with the {system}'],
      bug: ['Wrong total in the {part} {case}', 'The {mail} mail is sent twice {case}'],
      content: ['Describe the {goods} for the {season}', 'Photograph the {goods} for the {part}'],
      research: ['See why buyers of {goods} leave the {part}'],
      coordination: ['Prepare the {season} with the buyers of {goods}'],
      operations: ['Load-test the {part} for the {season}', 'Import the {goods} from the {system}'],
    },
  },
  {
    name: 'Brand identity',
    description: 'A new look from the logo to the last letterhead, and the guidelines that keep it together.',
    color: '#cf222e',
    tags: ['print', 'illustration', 'typography', 'motion'],
    boards: ['Design'],
    words: {
      piece:
        'business cards, letterhead, trade fair stand, annual report, signage, slide template, packaging, brochure',
      element: 'logo, word mark, colour palette, typeface, icon set, photo style, grid, tone of voice',
      direction: 'calm direction, bold direction, handmade direction, technical direction, heritage direction',
      variant: 'in one colour, on dark ground, at favicon size, in embroidery, in motion',
      group: 'long-standing customers, new employees, the sales team, retail partners, the founders',
      supplier: 'printer, sign maker, photographer, illustrator, type foundry, film crew',
    },
    patterns: {
      design: [
        'Explore the {element} in a {direction}',
        'Draw the {element} {variant}',
        'Lay out the {piece} for {group}',
      ],
      bug: ['The {element} does not hold {variant}'],
      content: ['Write the guideline on the {element} for {group}', 'Edit the text of the {piece} for {group}'],
      research: ['Ask {group} about the {element}', 'Show the {direction} to {group}'],
      coordination: ['Brief the {supplier} on the {piece}', 'Present the {element} to {group}'],
      operations: ['Order the {piece} from the {supplier}', 'Hand over the {element} {variant}'],
    },
  },
  {
    name: 'Launch campaign',
    description: 'Films, ads, posters and mailings that lead to one day: the launch.',
    color: '#bc4c00',
    tags: ['social media', 'print', 'motion', 'analytics'],
    boards: ['Delivery'],
    words: {
      asset:
        'teaser film, poster series, landing page, radio spot, display banners, press kit, mailing, explainer clip',
      channel: 'Instagram, LinkedIn, YouTube, the newsletter, city lights, trade press, local radio',
      target: 'young parents, commuters, small businesses, students, retirees, early adopters, club members',
      city: 'Hamburg, Leeds, Lyon, Vienna, Rotterdam, Gothenburg, Porto',
      wave: 'teaser wave, launch wave, reminder wave, year-end wave',
      number: 'click rates, reach, cost per lead, view time, sign-ups, brand recall',
      partner: 'media agency, film studio, speaker, printer, influencer, event location',
    },
    patterns: {
      design: [
        'Storyboard the {asset} for {target}',
        'Design the {asset} for {channel}',
        'Adapt the {asset} to {city}',
      ],
      development: ['Set up the {asset} with tracking of {number}', 'Build the {number} dashboard for the {wave}'],
      bug: ['The {asset} is cut off on {channel}', 'Wrong {number} on {channel}'],
      content: ['Write the {asset} for {target}', 'Find a headline for {target} on {channel}'],
      research: ['Learn what {target} in {city} expect', 'Analyse {number} on {channel}'],
      coordination: ['Book the {partner} in {city}', 'Brief the {partner} on the {asset}'],
      operations: ['Schedule the {wave} on {channel}', 'Deliver the {asset} to {city}'],
    },
  },
]
