import type { ProjectKind } from './kind.ts'

/** A place where customers serve themselves. */
export const portal: ProjectKind = {
  name: 'Customer portal',
  description: 'Contracts, invoices and requests in one place, for customers and the people who answer them.',
  color: '#1a7f37',
  tags: ['API', 'security', 'accessibility', 'back end'],
  words: {
    area: [
      ...['invoice archive', 'contract overview', 'support requests', 'document upload', 'appointment booking'],
      ...['user administration', 'notification centre', 'meter readings', 'address change', 'dashboard'],
      ...['approval queue', 'knowledge base', 'consent settings', 'payment methods'],
    ],
    person: ['private customers', 'property managers', 'dealers', 'service agents', 'administrators', 'auditors'],
    rule: [
      ...['single sign-on', 'two-factor login', 'role-based access', 'an audit trail', 'session timeouts'],
      ...['rate limits', 'bulk actions', 'CSV export', 'PDF download', 'full-text search', 'saved filters'],
    ],
    defect: [
      ...['shows another time zone', 'forgets its filters', 'times out for large accounts', 'sorts dates as text'],
      ...['rejects umlauts', 'loses attachments above 10 MB', 'sends mails to former users', 'counts drafts twice'],
    ],
    endpoint: ['billing API', 'CRM', 'identity provider', 'document store', 'mail gateway', 'data warehouse'],
    department: ['support', 'billing', 'data protection', 'sales', 'IT security', 'field service'],
    test: ['penetration test', 'load test', 'pilot phase', 'accessibility check', 'restore drill'],
  },
  patterns: {
    design: ['Outline the {area} for {person}', 'Simplify the {area} after the {test}'],
    development: [
      'Build the {area} for {person}',
      'Add {rule} to the {area}',
      'Feed the {area} from the {endpoint}',
      'Move the {area} to the new component library',
    ],
    bug: ['The {area} {defect}', 'Fix {rule} for {person}'],
    content: ['Write help for the {area} for {person}', 'Word the mails of the {area}'],
    research: ['Interview {person} about the {area}', 'Weigh options for {rule} in the {endpoint}'],
    coordination: ['Clear the {area} with {department}', 'Report on the {test} to {department}'],
    operations: [
      'Run the {test} on the {area}',
      'Monitor the {endpoint} behind the {area}',
      'Set up {rule} on staging',
    ],
  },
}
