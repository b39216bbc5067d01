import type { ProductId } from '../../model/ids.ts';
import { otherSide, type Side } from '../../model/platform.ts';
import { PAIR_ID, type World } from './world.ts';

/** A delete at the moment at which it was taken for true. */
export interface BelievedDelete {
  readonly productId: ProductId;
  readonly side: Side;
  readonly at: number;
  /** The record that is said to be gone. */
  readonly externalId: string;
  /** Whether it was still in its shop, and not in the bin. */
  readonly wasThere: boolean;
  /** The record on the other side; null: none that is there. */
  readonly counterpartId: string | null;
  /** Since when the two had belonged together: since the later of them was bound, whichever that was. */
  readonly counterpartSince: number;
  /** Up to which version of its shop we had read the counterpart. */
  readonly counterpartSeq: number;
}

/**
 * [G7][G9] Notes what a delete was believed on. Once it is done the record is unbound, and the end of a seed cannot tell any more which one
 * it was, nor what we knew of its counterpart, nor since when they belonged together. A trigger of the test's own sees the very statement, whoever runs it.
 * So it is noted which item a variant had on each side, and when.
 */
export function watchDeletes(world: World): readonly BelievedDelete[] {
  const notes: BelievedDelete[] = [];
  const { connection } = world.db;
  connection.function(
    'note_delete',
    (
      productId: ProductId,
      side: Side,
      externalId: string | null,
      counterpartId: string | null,
      counterpartSince: number | null,
    ) => {
      if (externalId === null) return null;
      const at = world.clock.now();
      const record = world.shops[side].shelf.products.get(externalId);
      const counterpart = world.shops[otherSide(side)].shelf.products.get(counterpartId ?? '');
      const isCounterpartThere = counterpart !== undefined && !counterpart.isTrashed;
      const counterpartSeq =
        counterpartId === null ? 0 : (world.shops[otherSide(side)].knowledge.known(counterpartId, at)?.seq ?? 0);
      const wasThere = record !== undefined && !record.isTrashed;
      notes.push({
        ...{ productId, side, at, externalId, wasThere, counterpartSeq },
        counterpartId: isCounterpartThere ? counterpartId : null,
        counterpartSince: counterpartSince ?? 0,
      });
      return null;
    },
  );
  connection.function('time_now', () => world.clock.now());
  connection.exec(`
    CREATE TEMP TABLE was_bound (product_id TEXT, side TEXT, external_id TEXT, at INTEGER);
    CREATE INDEX temp.was_bound_to ON was_bound (product_id, side);
    CREATE TEMP TRIGGER bound_first AFTER INSERT ON product_binding WHEN NEW.external_id IS NOT NULL AND NEW.pair_id = '${PAIR_ID}'
    BEGIN INSERT INTO was_bound VALUES (NEW.product_id, NEW.side, NEW.external_id, time_now()); END;
    CREATE TEMP TRIGGER bound_later AFTER UPDATE OF external_id ON product_binding
    WHEN NEW.external_id IS NOT NULL AND NEW.external_id IS NOT OLD.external_id AND NEW.pair_id = '${PAIR_ID}'
    BEGIN INSERT INTO was_bound VALUES (NEW.product_id, NEW.side, NEW.external_id, time_now()); END;
    CREATE TEMP TABLE was_item (variant_id TEXT, side TEXT, stock_id TEXT, at INTEGER);
    CREATE INDEX temp.was_item_of ON was_item (variant_id, side);
    CREATE TEMP TRIGGER item_first AFTER INSERT ON variant_binding WHEN NEW.pair_id = '${PAIR_ID}'
    BEGIN INSERT INTO was_item VALUES (NEW.variant_id, NEW.side, NEW.stock_id, time_now()); END;
    CREATE TEMP TRIGGER item_later AFTER UPDATE OF stock_id ON variant_binding
    WHEN NEW.stock_id IS NOT OLD.stock_id AND NEW.pair_id = '${PAIR_ID}'
    BEGIN INSERT INTO was_item VALUES (NEW.variant_id, NEW.side, NEW.stock_id, time_now()); END;
    CREATE TEMP TRIGGER delete_believed AFTER INSERT ON change
    WHEN NEW.cause = 'delete' AND NEW.field = 'deleted' AND NEW.variant_id IS NULL AND NEW.pair_id = '${PAIR_ID}'
    BEGIN SELECT note_delete(NEW.product_id, NEW.origin,
      (SELECT external_id FROM was_bound WHERE product_id = NEW.product_id AND side = NEW.origin ORDER BY rowid DESC LIMIT 1),
      (SELECT external_id FROM product_binding WHERE product_id = NEW.product_id AND side <> NEW.origin),
      (SELECT max(at) FROM was_bound WHERE product_id = NEW.product_id)); END;
  `);
  return notes;
}
