import type { ProjectKind } from './kind.ts'

/** Something that everybody should hear about. */
export const campaign: ProjectKind = {
  name: 'Launch campaign',
  description: 'Films, ads, posters and mailings that lead to one day: the launch.',
  color: '#bc4c00',
  tags: ['social media', 'print', 'motion', 'analytics'],
  words: {
    asset: [
      ...['teaser film', 'poster series', 'landing page', 'radio spot', 'display banners', 'press kit', 'mailing'],
      ...['podcast episode', 'photo series', 'explainer clip', 'point-of-sale display', 'competition', 'magazine ad'],
      ...['launch event'],
    ],
    channel: [
      'Instagram',
      'LinkedIn',
      'YouTube',
      'TikTok',
      'the newsletter',
      'city lights',
      'trade press',
      'local radio',
    ],
    target: [
      'young parents',
      'commuters',
      'small businesses',
      'students',
      'retirees',
      'early adopters',
      'club members',
    ],
    city: ['Hamburg', 'Leeds', 'Lyon', 'Vienna', 'Rotterdam', 'Gothenburg', 'Porto'],
    wave: ['teaser wave', 'launch wave', 'reminder wave', 'year-end wave'],
    number: ['click rates', 'reach', 'cost per lead', 'view time', 'sign-ups', 'brand recall'],
    partner: ['media agency', 'film studio', 'speaker', 'printer', 'influencer', 'event location'],
  },
  patterns: {
    design: ['Storyboard the {asset} for {target}', 'Design the {asset} for {channel}', 'Adapt the {asset} to {city}'],
    development: ['Set up the {asset} with tracking of {number}', 'Build the {number} dashboard for the {wave}'],
    bug: ['The {asset} is cut off on {channel}', 'Wrong {number} on {channel}'],
    content: [
      'Write the {asset} for {target}',
      'Plan the {wave} on {channel}',
      'Find a headline for {target} on {channel}',
      'Cut the {asset} to fifteen seconds for {channel}',
    ],
    research: [
      'Learn what {target} in {city} expect',
      'Test the {asset} with {target}',
      'Analyse {number} on {channel}',
    ],
    coordination: [
      'Book the {partner} in {city}',
      'Brief the {partner} on the {asset}',
      'Agree on the {wave} with the {partner}',
    ],
    operations: ['Schedule the {wave} on {channel}', 'Deliver the {asset} to {city}', 'Report {number} of the {wave}'],
  },
}
