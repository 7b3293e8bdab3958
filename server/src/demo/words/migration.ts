import type { ProjectKind } from './kind.ts'

/** From an old system to a new one. */
export const migration: ProjectKind = {
  name: 'Data migration',
  description: 'Fifteen years of records leave the old system without a lost row and without a day of downtime.',
  color: '#57606a',
  tags: ['back end', 'data quality', 'security', 'legacy'],
  words: {
    records: [
      ...[
        'customer records',
        'orders',
        'invoices',
        'product images',
        'price lists',
        'user accounts',
        'newsletter lists',
      ],
      ...['support tickets', 'contracts', 'stock movements', 'audit logs', 'archived mails', 'supplier data'],
      ...['delivery addresses'],
    ],
    flaw: [
      ...[
        'without an owner',
        'with duplicate numbers',
        'from before 2012',
        'with broken encoding',
        'with missing dates',
      ],
      ...['in foreign currencies', 'that were merged by hand', 'with orphaned attachments', 'of closed branches'],
    ],
    step: [
      'export',
      'mapping',
      'dry run',
      'import',
      'reconciliation',
      'rollback plan',
      'delta import',
      'validation report',
    ],
    environment: ['test environment', 'staging', 'rehearsal cluster', 'production replica'],
    system: ['old ERP', 'mail server', 'file share', 'mainframe', 'spreadsheet macros', 'reporting database'],
    field: [
      'tax codes',
      'phone numbers',
      'country codes',
      'status values',
      'time stamps',
      'units',
      'salutations',
      'free text',
    ],
    team: ['accounting', 'logistics', 'sales operations', 'works council', 'data protection', 'the system owner'],
  },
  patterns: {
    development: [
      'Write the {step} for the {records}',
      'Clean {records} {flaw}',
      'Convert the {field} of the {records}',
      'Read the {records} from the {system}',
    ],
    bug: ['The {step} skips {records} {flaw}', 'The {step} garbles the {field}'],
    content: ['Document the {step} of the {records}', 'Explain the new {field} to {team}'],
    research: [
      'Count the {records} {flaw}',
      'Find out what the {system} does with {field}',
      'Profile the {field} in the {records}',
    ],
    coordination: ['Decide with {team} on {records} {flaw}', 'Sign off the {step} with {team}'],
    operations: [
      'Rehearse the {step} on the {environment}',
      'Compare {records} on the {environment}',
      'Switch the {system} to read-only for {records}',
    ],
  },
}
