import type { ProjectKind } from './kind.ts'

/** An online shop. */
export const shop: ProjectKind = {
  name: 'Online shop',
  description: 'Catalogue, cart and checkout, with stock and invoices from the merchandise system.',
  color: '#bf8700',
  tags: ['checkout', 'SEO', 'performance', 'payments'],
  words: {
    part: [
      ...['cart', 'checkout', 'product page', 'category page', 'wish list', 'order confirmation', 'customer account'],
      ...['gift card page', 'size guide', 'returns form', 'store finder', 'search suggestions', 'stock display'],
      ...['bundle offer'],
    ],
    payment: ['PayPal', 'Apple Pay', 'credit cards', 'invoice', 'instalments', 'direct debit', 'gift cards'],
    goods: [
      ...['outdoor jackets', 'ceramics', 'running shoes', 'coffee beans', 'garden tools', 'children’s books'],
      ...['bedding', 'bicycle parts', 'candles', 'watches', 'tea', 'kitchen knives'],
    ],
    case: [
      ...['with an empty cart', 'with two discount codes', 'for guests', 'for business customers', 'for orders abroad'],
      ...['with a split delivery', 'when stock runs out', 'with a declined card', 'for repeat orders'],
    ],
    mail: [
      ...['order confirmation', 'shipping notice', 'abandoned cart reminder', 'refund notice', 'review request'],
      ...['welcome message', 'back-in-stock alert', 'password reset'],
    ],
    system: ['merchandise system', 'warehouse', 'tax service', 'fraud check', 'shipping provider', 'accounting export'],
    market: ['Austria', 'Switzerland', 'France', 'Belgium', 'Poland', 'Denmark'],
    season: ['spring sale', 'back-to-school week', 'Black Friday', 'Christmas business', 'summer clearance'],
    owner: ['shop manager', 'warehouse team', 'customer service', 'finance team', 'buyers'],
  },
  patterns: {
    design: ['Lay out the {part} {case}', 'Design the {mail} mail', 'Shape the {part} for {goods}'],
    development: [
      'Build the {part} {case}',
      'Accept {payment} in the {part}',
      'Sync the {part} with the {system}',
      'Send the {mail} mail {case}',
    ],
    bug: ['Wrong total in the {part} {case}', 'The {mail} mail is sent twice {case}', 'The {part} loses {goods}'],
    content: [
      'Describe the {goods} for {market}',
      'Photograph the {goods} for the {season}',
      'Write the {mail} mail for {market}',
    ],
    research: ['See why buyers of {goods} leave the {part}', 'Compare prices of {goods} in {market}'],
    coordination: ['Settle the {part} with the {owner}', 'Prepare the {season} with the {owner}'],
    operations: [
      'Load-test the {part} for the {season}',
      'Import the {goods} from the {system}',
      'Switch on {payment} for {market}',
    ],
  },
}
