import assert from 'node:assert/strict';
import type { Connector, ScanPage } from '../../../ports/connector.ts';
import { addSeveral, assertConnectorError, failure, simpleProduct, sizedProduct } from '../fixtures.ts';
import type { InjectedFault, ShopRecord } from '../harness.ts';
import type { Rule } from '../rule.ts';
import { FOREVER } from './failures.ts';

/** More pages than any test makes, or finds in a real store: a listing that never ends must fail the test. */
const PAGES_MAX = 2_000;
/** Each place costs a listing of all that comes after it: of a store that holds more than this test made, not every one is tried. */
const RESUMED_PLACES_MAX = 12;
const FAILING: InjectedFault = { type: 'server_error', when: 'before' };

async function scanAll(connector: Connector, resume: string | null = null): Promise<ScanPage[]> {
  const pages: ScanPage[] = [];
  for await (const page of connector.scan({ resume })) {
    pages.push(page);
    assert.ok(pages.length <= PAGES_MAX, 'the scan ends');
  }
  return pages;
}

const idsOf = (pages: readonly ScanPage[]) => pages.flatMap((page) => page.snapshots.map((one) => one.externalId));

/** Only the records of this test: a real store may hold others. */
function mine(ids: readonly string[], records: readonly ShopRecord[]): string[] {
  const own = new Set(records.map((record) => record.externalId));
  return ids.filter((id) => own.has(id)).toSorted();
}

const sortedIds = (records: readonly ShopRecord[]) => records.map((record) => record.externalId).toSorted();

/** After which pages to resume: after each, or where that is too much, about where records of this test stand. */
function placesToResume(whole: readonly ScanPage[], records: readonly ShopRecord[]): number[] {
  const places = whole.slice(0, -1).map((_, index) => index + 1);
  if (places.length <= RESUMED_PLACES_MAX) return places;
  return places
    .filter((done) => mine(idsOf(whole.slice(done - 1, done + 1)), records).length > 0)
    .slice(0, RESUMED_PLACES_MAX);
}

/** [C19] [C20]: the whole catalogue. */
export function scanRules(rule: Rule): void {
  rule(
    '[C19] a scan gives every product of every status once, complete; the last page, and only it, says so',
    { pageSize: 3 },
    async (harness) => {
      const { connector, shop, pageSize } = harness;
      const records = await addSeveral(harness, pageSize * 2 + 1);
      for (const status of ['draft', 'unlisted', 'archived'] as const) {
        records.push(await shop.addProduct(simpleProduct({ status })));
      }
      records.push(await shop.addProduct(sizedProduct(4)));
      const pages = await scanAll(connector);
      assert.ok(pages.length >= 3, `several pages, not ${pages.length}`);
      assert.deepEqual(mine(idsOf(pages), records), sortedIds(records));
      assert.deepEqual(
        pages.map((page) => page.isComplete),
        pages.map((_, index) => index === pages.length - 1),
      );
      const snapshots = pages
        .flatMap((page) => page.snapshots)
        .filter((one) => one.externalId === records.at(-1)!.externalId);
      const read = await connector.readProducts([records.at(-1)!.externalId]);
      assert.deepEqual(
        snapshots,
        read.map((outcome) => outcome.ok && outcome.value),
      );
    },
  );

  rule('[C19] the bin is left out of a scan', { abilities: ['bin'] }, async (harness) => {
    const records = await addSeveral(harness, 3);
    await harness.shop.trash(records[1]!.externalId);
    assert.deepEqual(mine(idsOf(await scanAll(harness.connector)), records), sortedIds([records[0]!, records[2]!]));
  });

  rule('[C19] an empty store is one complete page', { abilities: ['empty_store'] }, async ({ connector }) => {
    const pages = await scanAll(connector);
    assert.deepEqual(
      pages.map((page) => [page.snapshots.length, page.isComplete]),
      [[0, true]],
    );
  });

  rule(
    '[C19] resume continues after each page, in another process',
    { pageSize: 3, abilities: ['reopen'] },
    async (harness) => {
      const records = await addSeveral(harness, harness.pageSize * 3 + 1);
      const whole = await scanAll(harness.connector);
      assert.ok(whole.length >= 4);
      const places = placesToResume(whole, records);
      assert.ok(places.length >= 3, `several places, not after pages ${places.join(', ')}`);
      for (const done of places) {
        const connector = await harness.reopen();
        const rest = await scanAll(connector, whole[done - 1]!.resume);
        const both = [...idsOf(whole.slice(0, done)), ...idsOf(rest)];
        assert.deepEqual([...new Set(mine(both, records))], sortedIds(records), `resumed after page ${done}`);
        assert.equal(rest.at(-1)?.isComplete, true);
        assert.ok(idsOf(rest).length < idsOf(whole).length, 'pages that were done are not listed again');
        await connector.close();
      }
    },
  );

  rule('[C19] a scan may be left after any page', { pageSize: 3 }, async (harness) => {
    const records = await addSeveral(harness, harness.pageSize * 2);
    for await (const page of harness.connector.scan({ resume: null })) {
      assert.equal(page.isComplete, false);
      break;
    }
    assert.deepEqual(mine(idsOf(await scanAll(harness.connector)), records), sortedIds(records));
  });

  rule(
    '[C19] what exists throughout is listed, although others come and go between the pages',
    { pageSize: 3, abilities: ['edits_while_scanning'] },
    async (harness) => {
      const { connector, shop, pageSize } = harness;
      const records = await addSeveral(harness, pageSize * 4);
      const kept = new Set(records);
      const seen: string[] = [];
      let pages = 0;
      for await (const page of connector.scan({ resume: null })) {
        seen.push(...page.snapshots.map((one) => one.externalId));
        pages += 1;
        if (pages > 2) continue;
        // Of each of the first pages one listed record goes, another is edited, and a new one is added: pages counted by offset would now slip.
        const listed = records.filter((record) => page.snapshots.some((one) => one.externalId === record.externalId));
        const [gone, edited] = listed;
        if (gone) {
          kept.delete(gone);
          await shop.destroy(gone.externalId);
        }
        if (edited) await shop.editProduct(edited.externalId, { title: 'Edited between pages' });
        await shop.addProduct(simpleProduct());
      }
      const missed = [...kept].filter((record) => !seen.includes(record.externalId));
      assert.deepEqual(
        missed.map((record) => record.externalId),
        [],
      );
    },
  );

  rule(
    '[C20] a listing that is cut short throws instead of ending',
    { pageSize: 3, faults: ['server_error'] },
    async (harness, context) => {
      const { connector, faults, pageSize, cannot } = harness;
      await addSeveral(harness, pageSize * 3);
      const pages: ScanPage[] = [];
      const scan = async () => {
        for await (const page of connector.scan({ resume: null })) {
          pages.push(page);
          faults.clear();
          faults.inject(FAILING, { on: 'any', times: FOREVER });
        }
        return pages.length;
      };
      const firedBefore = faults.firedCount();
      const result = await scan().catch((error: unknown) => error);
      const isCut = faults.firedCount() > firedBefore;
      faults.clear();
      // What a shared store holds besides may have to be read to the end before the first page can be handed out: then nothing is left to cut.
      if (!isCut && cannot.empty_store !== undefined)
        return context.skip('the store was read to its end before the first page was handed out');
      assert.ok(isCut, 'something is asked for after the first page');
      assertConnectorError(result);
      assert.ok(pages.length >= 1);
      assert.ok(pages.every((page) => !page.isComplete));
      const rest = await scanAll(connector, pages.at(-1)!.resume);
      assert.equal(rest.at(-1)?.isComplete, true);
    },
  );

  rule(
    '[C20] a listing that is cut off at any of its requests throws, and goes on from its last page',
    { pageSize: 3, faults: ['server_error'], abilities: ['request_counts', 'reopen'] },
    async (harness) => {
      const { faults, pageSize } = harness;
      const records = await addSeveral(harness, pageSize * 3);
      const counting = await harness.reopen();
      const before = faults.requestCount('read');
      await scanAll(counting);
      await counting.close();
      const requests = faults.requestCount('read') - before;
      assert.ok(requests >= 2, `several requests, not ${requests}`);
      for (const skip of new Set([0, 1, Math.floor(requests / 2), requests - 1])) {
        const connector = await harness.reopen();
        const pages: ScanPage[] = [];
        const firedBefore = faults.firedCount();
        faults.inject(FAILING, { on: 'any', times: FOREVER, skip });
        const scan = async () => {
          for await (const page of connector.scan({ resume: null })) pages.push(page);
        };
        const error = await scan().catch((reason: unknown) => reason);
        const isCut = faults.firedCount() > firedBefore;
        faults.clear();
        // Where a listing is waited for, how often is asked is another number each time.
        if (skip < 2) assert.ok(isCut, `request ${skip + 1} of ${requests} was cut`);
        if (isCut) assertConnectorError(error);
        assert.equal(
          pages.some((page) => page.isComplete),
          !isCut,
          `cut after ${skip} of ${requests} requests`,
        );
        await connector.close();
        if (!isCut) continue;
        // Who has just met failures goes slowly for a while.
        const other = await harness.reopen();
        const rest = await scanAll(other, pages.at(-1)?.resume ?? null);
        await other.close();
        assert.equal(rest.at(-1)?.isComplete, true);
        assert.deepEqual([...new Set(mine(idsOf([...pages, ...rest]), records))], sortedIds(records));
      }
    },
  );

  rule(
    '[C20] an answer that is no listing is never an empty one',
    { faults: ['malformed', 'html_404'] },
    async (harness) => {
      const { connector, faults } = harness;
      await addSeveral(harness, 2);
      for (const type of ['malformed', 'html_404'] as const) {
        faults.inject({ type }, { on: 'any', times: FOREVER });
        await failure(() => scanAll(connector));
        faults.clear();
      }
    },
  );
}
