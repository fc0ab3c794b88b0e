// Everything that the console says to people. One object for the frame, one for each view, so that somebody who
// translates reads one file. Figures and names come in as parameters.

/** Texts of the console. */
export const strings = {
  ui: {
    again: 'Try again',
    cancel: 'Cancel',
    close: 'Close',
    copied: 'Copied.',
    notCopied: 'The browser does not let the page copy. Select the text instead.',
    loading: 'Loading',
  },
  frame: {
    name: 'Sextant',
    views: 'Views',
    skip: 'Skip to the content',
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    logIn: 'Log in',
    logOut: 'Log out',
    readOnly: 'Read only',
    readOnlyHint: 'You can look at everything and change nothing.',
    offline: 'The service does not answer. What you see may be old; the page tries again by itself.',
    viewFailed: 'This view could not be loaded. If the service was updated, load the page again.',
    reload: 'Load the page again',
    noView: 'There is no such view.',
  },
  login: {
    title: 'Log in',
    token: 'Token',
    hint: 'The service keeps it in its data folder, in the file admin.token: cat var/admin.token',
    wrong: 'This is not the token of this service.',
    expired: 'The session has ended, as nothing happened in it for a while. Log in again.',
    submit: 'Log in',
    why: 'The console needs the token of the service.',
  },
  start: {
    title: 'Start',
    lead: 'What the service needs before the first device asks it.',
    service: 'Service',
    version: 'Version',
    uptime: 'Up for',
    address: 'Address for devices',
    problems: 'Warnings',
    allWell: 'All is well',
    allWellText: 'The service has nothing to warn about.',
  },
} as const;
