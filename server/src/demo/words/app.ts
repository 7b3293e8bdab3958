import type { ProjectKind } from './kind.ts'

/** An app for phones. */
export const app: ProjectKind = {
  name: 'Mobile app',
  description: 'One app for iOS and Android: sign-up, booking, messages, payment.',
  color: '#8250df',
  tags: ['iOS', 'Android', 'API', 'release'],
  words: {
    screen: [
      ...['sign-up screen', 'login screen', 'onboarding tour', 'booking flow', 'calendar view', 'message inbox'],
      ...['profile screen', 'payment sheet', 'map view', 'favourites list', 'settings screen', 'search screen'],
      ...['order history', 'QR scanner'],
    ],
    platform: ['iOS', 'Android'],
    state: ['empty state', 'loading state', 'error state', 'offline state', 'first-run state'],
    ability: [
      ...[
        'push notifications',
        'Face ID',
        'deep links',
        'offline sync',
        'dark mode',
        'voice control',
        'in-app reviews',
      ],
      ...['analytics events', 'crash reports', 'background refresh', 'widget support', 'remote feature flags'],
    ],
    trouble: [
      ...['crashes after rotating the phone', 'loses input when the app goes to the background'],
      ...['flickers while scrolling', 'shows stale data after login', 'ignores the system font size'],
      ...['freezes without a connection', 'hides its button behind the keyboard', 'drains the battery'],
    ],
    device: ['a Pixel 6a', 'an iPhone SE', 'a Galaxy A54', 'an iPad mini', 'a foldable', 'last year’s iPhone'],
    tester: ['five new users', 'the pilot group', 'the support team', 'two blind testers', 'the client’s field staff'],
    store: ['App Store', 'Play Store', 'internal test track', 'public beta'],
    release: [
      'spring release',
      'summer release',
      'autumn release',
      'hotfix release',
      'pilot release',
      'anniversary release',
    ],
  },
  patterns: {
    design: [
      'Draw the {state} of the {screen}',
      'Prototype the {screen} for {tester}',
      'Animate the {screen} on {platform}',
    ],
    development: [
      'Build the {screen} on {platform}',
      'Add {ability} on {platform}',
      'Handle the {state} of the {screen}',
      'Write UI tests for the {screen} on {platform}',
      'Wire {ability} into the {screen}',
    ],
    bug: ['The {screen} {trouble}', 'Find out why the {screen} is slow on {device}'],
    content: ['Write the texts of the {screen}', 'Word the permission prompt for {ability}'],
    research: ['Test the {screen} with {tester}', 'Measure the {screen} on {device}'],
    coordination: ['Show the {screen} to {tester}', 'Plan the {release} with the client'],
    operations: [
      'Submit the {release} to the {store}',
      'Try the {screen} on {device}',
      'Write the notes of the {release}',
    ],
  },
}
