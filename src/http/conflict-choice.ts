import type { ResolveConflictBody } from '../contracts/conflicts.ts';
import type { ConflictRow } from '../db/schema/history.ts';
import { DELETED_FIELD } from '../engine/products/handle-gone.ts';
import { unreachable } from '../lib/assert.ts';
import { invalidField } from './app-error.ts';

export type EngineChoice =
  | { readonly choice: 'hub' }
  | { readonly choice: 'remote' }
  | { readonly choice: 'value'; readonly value: unknown };

/** A choice by position in the engine's terms: the hub holds what the other side brought. Throws VALIDATION where it says nothing about this conflict. */
export function conflictChoice(
  conflict: Pick<ConflictRow, 'field' | 'side' | 'base'>,
  body: Pick<ResolveConflictBody, 'choice' | 'value'>,
): EngineChoice {
  // What both last agreed on is neither: it was there, and it was not changed yet.
  if (conflict.field === DELETED_FIELD && (body.choice === 'agreed' || body.choice === 'value'))
    throw invalidField(
      'choice',
      'choice: a product is kept or deleted, so choose the side that is right: "woocommerce" or "shopify"',
    );
  switch (body.choice) {
    case 'hub':
    case 'remote':
      return { choice: body.choice };
    case 'woocommerce':
    case 'shopify':
      return { choice: body.choice === conflict.side ? 'remote' : 'hub' };
    case 'agreed':
      return { choice: 'value', value: conflict.base };
    case 'value':
      if (body.value === undefined) throw invalidField('value', 'value is missing: send the value that both sides get');
      return { choice: 'value', value: body.value };
    default:
      return unreachable(body.choice);
  }
}
