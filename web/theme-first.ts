/** Runs before anything is painted, so that a chosen theme never flashes the other one. */
const stored = localStorage.getItem('theme');
if (stored === 'light' || stored === 'dark') document.documentElement.dataset['theme'] = stored;
