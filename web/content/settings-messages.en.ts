/**
 * The settings' texts: those that the specification fixes to the letter, and the sentences that more than one panel says. Apart from the
 * others, which every page downloads.
 */
export const SETTINGS_TEXT = {
  saved: 'Your settings are saved.',
  failed: {
    save: 'Failed to save settings. Please try again.',
    reset: 'Failed to reset settings. Please try again.',
    password: 'Failed to change password. Please try again.',
    enable: 'Failed to enable 2FA. Please try again.',
    disable: 'Failed to disable 2FA. Please try again.',
    codes: 'Failed to make new recovery codes. Please try again.',
    endOthers: 'Failed to sign out of other devices. Please try again.',
    endOne: 'Failed to sign out of this device. Please try again.',
    prove: 'Your password could not be checked. Please try again.',
    export: 'Failed to export your data. Please try again.',
    leave: 'Failed to leave the workspace. Please try again.',
    deleteWorkspace: 'Failed to delete the workspace. Please try again.',
    deleteAccount: 'Failed to delete your account. Please try again.',
  },
  password: {
    currentRequired: 'Please enter your current password',
    short: 'Password must be at least 8 characters long.',
    mismatch: 'Passwords do not match.',
    same: 'New password must be different from current password.',
    changed: 'Your password is changed. Every other device is signed out.',
  },
  demo: {
    title: 'A demo has no account',
    text: 'It has no password, no devices and no team, and it goes by itself when nobody uses it for a while. With an account of your own you find all of this here.',
    signUp: 'Create an account',
  },
  mailHeld: 'This instance can not send email yet: messages wait in its outbox, where its owner reads them.',
} as const;
