// What the cards of Care about forgetting and the secret say to people; a part of strings.ts.

/** Texts of the cards. */
export const privacyStrings = {
  forget: {
    title: 'Forget',
    lead: 'What somebody asks to have removed, and what a bad contributor has brought. It cannot be undone.',
    what: 'What goes',
    kinds: {
      stations: 'Stations',
      contributor: 'All reports of a key',
      device: 'A device',
      report: 'A logged request',
    },
    labels: {
      stations: 'Names of stations',
      contributor: 'Number of the key',
      device: 'Id of the device',
      report: 'Number in the log',
    },
    hints: {
      stations:
        'Addresses of access points and beacons, or names of cells, with spaces between. ' +
        'They are kept out from then on.',
      contributor: 'Its reports and its logged requests go; the key stays.',
      device: 'Its reports and its logged requests go, under all keys.',
      report: 'The logId of the request, with what it has reported.',
    },
    notNumber: 'A number is needed.',
    missing: 'Say what goes.',
    mayReturn: 'They may be learned again',
    begin: 'Forget',
    sure: (what: string) => `Forget ${what}?`,
    sureText: 'The service learns again without it, which may take minutes. This cannot be undone.',
    keptOut: (count: string) => `Stations that are kept out: ${count}`,
  },
  secret: {
    title: 'Secret of states',
    lead:
      'Devices that carry their own state get it sealed by a secret of this service. ' +
      'A new one is due when somebody may have seen the folder.',
    overlap: 'The old one opens states',
    overlaps: { '86400': 'for a day', '604800': 'for a week', '0': 'no more' },
    rotate: 'Make a new secret',
    sureText:
      'States sealed by the old secret are opened only as long as you say; ' +
      'after that, the next request of a device counts as its first.',
    until: (time: string) => `There is a new secret. The old one opens states until ${time} UTC.`,
    atOnce: 'There is a new secret. The old one opens nothing any more.',
  },
} as const;
