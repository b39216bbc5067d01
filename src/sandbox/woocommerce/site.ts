import type { Crash } from './crash.ts';
import type { Environment } from './environment.ts';
import type { Settings } from './options.ts';
import type { OrderRecord } from './order-records.ts';
import { kses, stripSlashes } from './php-text.ts';
import { ProductStore } from './product-store.ts';
import type { ProductRecord } from './records.ts';
import { SiteTime } from './site-time.ts';
import { TermStore } from './term-store.ts';

export type Topic =
  | `product.${'created' | 'updated' | 'deleted' | 'restored'}`
  | `order.${'created' | 'updated' | 'deleted' | 'restored'}`;

/** One store: its data, its clock, and what happened to it. */
export class Site {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly time: SiteTime;
  readonly products = new ProductStore();
  readonly terms = new TermStore();
  readonly orders = new Map<number, OrderRecord>();
  /** Products that are to be published at a set time. */
  readonly scheduled = new Set<ProductRecord>();
  /** By id or SKU. */
  readonly crashes = new Map<number | string, Crash>();
  /** Set by the webhook engine. */
  onEvent: (topic: Topic, id: number) => void = () => {};
  /** Where the store is reached; known when it listens, unless the options say so. */
  origin = 'http://localhost';
  nextOrderItemId = 1;
  /** Nonces of signed requests, with their time, s. */
  readonly nonces = new Map<string, number>();

  constructor(settings: Settings) {
    this.settings = settings;
    this.environment = settings.environment;
    this.time = new SiteTime(settings.timezone);
  }

  nowS(): number {
    return Math.floor(this.environment.now() / 1000);
  }

  /** Public address of a path of the store; `path` begins with a slash or is empty. */
  url(path: string): string {
    return `${this.settings.siteUrl ?? `${this.origin}${this.settings.basePath}`}${path}`;
  }

  restUrl(path: string): string {
    return this.settings.prettyPermalinks ? this.url(`/wp-json${path}`) : this.url(`/index.php?rest_route=${path}`);
  }

  /** WordPress's cron, which any request starts: it publishes what is due, leaves the date of its change as it is, and WooCommerce tells nobody. */
  publishDue(): void {
    for (const record of this.scheduled) {
      if (record.status === 'future' && record.createdS > this.nowS()) continue;
      this.scheduled.delete(record);
      if (record.status === 'future') record.status = 'publish';
      this.products.version += 1;
    }
  }

  fire(topic: Topic, id: number): void {
    this.onEvent(topic, id);
  }

  /** What the API does to a title or text on its way in: slashes lost, HTML filtered. */
  filterHtml(text: string): string {
    return this.settings.unfilteredHtml ? text : kses(stripSlashes(text));
  }
}
