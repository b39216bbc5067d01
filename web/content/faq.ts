export interface Question {
  readonly question: string;
  readonly answer: string;
}

/** Six, the first one open. */
export const FAQ: readonly Question[] = [
  {
    question: 'Will it overwrite changes that I made by hand?',
    answer:
      'Not knowingly. What one store changed in a field travels. Where both did, you are asked, or a rule of yours decides, as that the newest wins. What is left are seconds: a product is read right before it is written, and what you type into the same field in between (10 seconds at most, 30 in a slow store) can be written over. So can a sale that WooCommerce is booking in the fraction of a second in which we write its stock. Nobody is told of either.',
  },
  {
    question: 'Do I need to install anything on my stores?',
    answer:
      'Nothing with code. In WooCommerce you make a REST key. In Shopify you make an app in the Dev Dashboard, install it on the store and give us its client id and secret; a custom app from before 2026 works by its Admin API token. The connect page lists the permissions and says which are missing.',
  },
  {
    question: 'What happens when Shopify limits requests?',
    answer:
      'Every store has a limiter that slows down before the platform refuses. What waits is kept on disk and goes on by itself.',
  },
  {
    question: 'Can I try it without touching live data?',
    answer:
      'Yes. The demo opens a workspace of your own with a WooCommerce and a Shopify sandbox store inside this server. Sell on one shelf and watch the other. Nothing leaves the machine.',
  },
  {
    question: 'Can I run it on my own server?',
    answer:
      'Yes, that is how it is made: one process, one SQLite file, a small machine. The licence is MIT, and every feature is in it.',
  },
  {
    question: 'How do I leave?',
    answer:
      'Disconnect the stores and stop the server. Both stores keep everything that they have, and no part of them depends on this program.',
  },
];
