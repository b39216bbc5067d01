import css from './steps-shelf.module.css';

const STEPS = [
  {
    title: 'Connect both stores',
    text: 'Paste a WooCommerce key and the id and secret of your Shopify app. Permissions are checked at once, and you are told what is missing.',
  },
  {
    title: 'Read the plan',
    text: 'Records are matched by barcode, SKU or address. You see what fits, what is new, and what differs, before anything is written.',
  },
  { title: 'Turn it on', text: 'In real time, hourly, daily, weekly or by hand. Pause at any time.' },
];

export function Steps() {
  return (
    <ol className={css.steps}>
      {STEPS.map(({ title, text }, index) => (
        <li key={title} className={css.step}>
          <span className={css.number}>{index + 1}</span>
          <h3 className={css.title}>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}
