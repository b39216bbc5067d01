/** What is said of demo data on the overview alone. */
export const DEMO_DATA = {
  remove: 'Remove demo data',
  ends: 'Demo data goes by itself, too: after 30 minutes in which nobody uses this workspace, and when the server restarts.',
  loaded: (stores: number) => `Demo data loaded: ${stores} ${stores === 1 ? 'store' : 'stores'}.`,
  removed: 'The demo data is removed.',
  removeFailed: 'Failed to remove demo data. Please try again.',
} as const;
