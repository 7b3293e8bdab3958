import type { ProjectKind } from './kind.ts'

/** A company's site, made anew. */
export const website: ProjectKind = {
  name: 'Website relaunch',
  description: 'New structure, new design and a new content management system, page by page.',
  color: '#1f6feb',
  tags: ['SEO', 'accessibility', 'content', 'front end'],
  words: {
    page: [
      ...['home page', 'about page', 'team page', 'careers page', 'contact page', 'pricing page', 'services overview'],
      ...['case study page', 'press area', 'blog index', 'article page', 'event calendar', 'newsletter landing page'],
      ...['search results page', 'error page'],
    ],
    component: [
      ...['main navigation', 'footer', 'hero banner', 'image gallery', 'contact form', 'cookie notice'],
      ...[
        'language switch',
        'teaser grid',
        'quote slider',
        'download list',
        'video player',
        'breadcrumb',
        'logo strip',
      ],
    ],
    audience: ['first-time visitors', 'returning customers', 'applicants', 'journalists', 'investors', 'partners'],
    situation: [
      ...['on small phones', 'on a tablet in landscape', 'in Safari', 'in Firefox', 'on slow connections'],
      ...['with the keyboard only', 'with a screen reader', 'at 200 % zoom', 'with large system fonts'],
    ],
    review: ['usability test', 'stakeholder review', 'accessibility audit', 'sprint review', 'second feedback round'],
    material: ['photos', 'quotes', 'key figures', 'legal notes', 'portraits', 'partner logos'],
    language: ['German', 'French', 'Spanish', 'Dutch', 'Italian'],
    role: ['marketing lead', 'head of HR', 'managing director', 'legal team', 'product owner'],
    rival: ['three competitors', 'the old site', 'the best of the sector'],
  },
  patterns: {
    design: [
      'Sketch the {page} for {audience}',
      'Design the {component} for the {page}',
      'Rework the {component} after the {review}',
    ],
    development: ['Build the {component} of the {page}', 'Connect the {component} to the CMS'],
    bug: ['Fix the {component} {situation}', 'The {component} jumps on the {page}'],
    content: [
      'Write the {page} for {audience}',
      'Collect {material} for the {page}',
      'Translate the {page} into {language}',
    ],
    research: ['Watch {audience} use the {page}', 'Compare the {page} with {rival}'],
    coordination: ['Agree on the {page} with the {role}', 'Walk the {role} through the {component}'],
    operations: ['Check the {page} {situation}', 'Redirect the addresses of the old {page}'],
  },
}
