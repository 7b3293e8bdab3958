import type { ProjectKind } from './kind.ts'

/** What comes after the launch: small things, month after month. */
export const care: ProjectKind = {
  name: 'Website care',
  description: 'Updates, small changes and a monthly report, on a fixed budget.',
  color: '#0969da',
  tags: ['maintenance', 'quick win', 'security', 'analytics'],
  words: {
    place: [
      ...['home page', 'opening hours', 'job offers', 'team portraits', 'price list', 'imprint', 'privacy policy'],
      ...['contact form', 'event list', 'download area', 'holiday notice', 'header image', 'map'],
    ],
    part: [
      ...['CMS', 'form plugin', 'backup', 'certificate', 'mail delivery', 'search index', 'image cache'],
      ...['consent banner', 'statistics', 'spam filter', 'staging copy', 'PHP version'],
    ],
    month: [
      ...['January', 'February', 'March', 'April', 'May', 'June'],
      ...['July', 'August', 'September', 'October', 'November', 'December'],
    ],
    asker: ['the office', 'the new colleague', 'the managing director', 'the trainee', 'the works council'],
    problem: ['does not load', 'shows old data', 'looks broken on phones', 'gets no mails', 'is hard to find'],
  },
  patterns: {
    design: ['Refresh the {place} for {month}', 'Swap the picture in the {place}'],
    development: ['Update the {part}', 'Replace the {part} behind the {place}'],
    bug: ['The {place} {problem}', 'The {part} failed in {month}'],
    content: ['Update the {place} for {asker}', 'Proofread the {place} for {month}'],
    research: ['See who uses the {place} in {month}'],
    coordination: ['Monthly report for {month}', 'Call with {asker} about the {place}'],
    operations: ['Check the {part} in {month}', 'Restore test of the {part}'],
  },
}
