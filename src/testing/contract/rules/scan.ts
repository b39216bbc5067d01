import assert from 'node:assert/strict';
import type { Connector, ScanPage } from '../../../ports/connector.ts';
import { addSeveral, failure, simpleProduct, sizedProduct } from '../fixtures.ts';
import type { ShopRecord } from '../harness.ts';
import type { Rule } from '../rule.ts';

/** More pages than any test makes: a listing that never ends must fail the test. */
const PAGES_MAX = 200;

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
      for (let done = 1; done < whole.length; done += 1) {
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
    async (harness) => {
      const { connector, faults, pageSize } = harness;
      await addSeveral(harness, pageSize * 3);
      const pages: ScanPage[] = [];
      await failure(async () => {
        for await (const page of connector.scan({ resume: null })) {
          pages.push(page);
          faults.inject({ type: 'server_error', when: 'before' }, { on: 'any', times: Number.POSITIVE_INFINITY });
        }
        return pages.length;
      });
      faults.clear();
      assert.ok(pages.length >= 1);
      assert.ok(pages.every((page) => !page.isComplete));
      const rest = await scanAll(connector, pages.at(-1)!.resume);
      assert.equal(rest.at(-1)?.isComplete, true);
    },
  );

  rule(
    '[C20] an answer that is no listing is never an empty one',
    { faults: ['malformed', 'html_404'] },
    async (harness) => {
      const { connector, faults } = harness;
      await addSeveral(harness, 2);
      for (const type of ['malformed', 'html_404'] as const) {
        faults.inject({ type }, { on: 'any', times: Number.POSITIVE_INFINITY });
        await failure(() => scanAll(connector));
        faults.clear();
      }
    },
  );
}
