import { ConnectorError } from '../../model/connector-error.ts';
import { parseJson } from '../shared/exact-json.ts';
import { gidType, isGid } from './gid.ts';
import type { ProductParts } from './import-mapper.ts';
import {
  type BulkOperation,
  type MarkNode,
  MarkNodeShape,
  MediaLineShape,
  type MediaNode,
  type ProductLine,
  ProductLineShape,
  type Shape,
  type VariantRow,
  VariantRowShape,
} from './wire.ts';

/** One line of a bulk file; a product with 2,048 variants is spread over as many lines. */
const LINE_BYTES_MAX = 8 * 1024 * 1024;

export interface BulkProduct {
  readonly id: string;
  /** Null when a line of it could not be understood: `fault` tells which. */
  readonly parts: ProductParts | null;
  readonly fault: string | null;
  readonly variantCount: number;
}

interface OpenProduct {
  readonly id: string;
  readonly line: Record<string, unknown>;
  readonly variants: VariantRow[];
  readonly media: MediaNode[];
  readonly marks: MarkNode[];
  fault: string | null;
  variantCount: number;
}

/**
 * The products of a bulk file, one at a time: only the one that is being read is held. The file is asked for with `groupObjects`, so children follow
 * their product; one that doesn't is an error rather than a loss. A line that can't be understood concerns its product alone. At the end the bytes, the
 * products and the lines are compared with what the operation counted: a file cut short throws [C20].
 */
export async function* readBulkProducts(
  chunks: AsyncIterable<Uint8Array>,
  operation: Pick<BulkOperation, 'fileSize' | 'objectCount' | 'rootObjectCount'>,
): AsyncGenerator<BulkProduct> {
  const count = { bytes: 0, lines: 0, products: 0 };
  let open: OpenProduct | null = null;
  for await (const line of linesOf(chunks, count)) {
    count.lines += 1;
    const value = parseLine(line);
    const parentId = value['__parentId'];
    if (parentId === undefined) {
      if (open !== null) yield closed(open);
      count.products += 1;
      const id = String(value['id'] ?? '');
      if (!isGid(id, 'Product')) throw damaged('a line is neither a product nor a part of one');
      const fault = ProductLineShape.mismatch(value);
      open = { id, line: value, variants: [], media: [], marks: [], fault, variantCount: 0 };
    } else {
      if (open === null || open.id !== parentId) throw damaged('its lines are out of order');
      addChild(open, value);
    }
  }
  verify(operation, count);
  if (open !== null) yield closed(open);
}

function closed({ id, line, variants, media, marks, fault, variantCount }: OpenProduct): BulkProduct {
  const parts = fault === null ? { product: line as ProductLine, variants, media, marks } : null;
  return { id, parts, fault, variantCount };
}

function addChild(open: OpenProduct, value: Record<string, unknown>): void {
  const type = gidType(String(value['id'] ?? ''));
  if (type === 'ProductVariant') open.variantCount += 1;
  if (open.fault !== null) return;
  if (type === 'ProductVariant') take(open, value, VariantRowShape, open.variants);
  else if (type === 'Metafield') take(open, value, MarkNodeShape, open.marks);
  else if (open.media.length === 0) take(open, value, MediaLineShape, open.media); // the first is all that lists show
}

function take<T>(open: OpenProduct, value: Record<string, unknown>, shape: Shape<T>, into: T[]): void {
  open.fault = shape.mismatch(value);
  if (open.fault === null) into.push(value as T);
}

function verify(
  operation: Pick<BulkOperation, 'fileSize' | 'objectCount' | 'rootObjectCount'>,
  count: { readonly bytes: number; readonly lines: number; readonly products: number },
): void {
  const products = Number(operation.rootObjectCount);
  if (count.products !== products) throw damaged(`it holds ${count.products} of ${products} products`);
  if (operation.fileSize !== null) {
    if (count.bytes < Number(operation.fileSize))
      throw damaged(`it ended after ${count.bytes} of ${operation.fileSize} bytes`);
  } else if (count.lines < Number(operation.objectCount)) {
    throw damaged(`it holds ${count.lines} of ${operation.objectCount} lines`);
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>, count: { bytes: number }): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    count.bytes += chunk.byteLength;
    let from = 0;
    for (let end = chunk.indexOf(10, from); end >= 0; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end));
      yield joined(parts, decoder);
      parts = [];
      size = 0;
      from = end + 1;
    }
    if (from < chunk.byteLength) {
      parts.push(chunk.subarray(from));
      size += chunk.byteLength - from;
      if (size > LINE_BYTES_MAX) throw damaged('a line is too long');
    }
  }
  // The last line may have no line break after it; an empty rest is no line.
  if (size > 0) yield joined(parts, decoder);
}

function joined(parts: readonly Uint8Array[], decoder: TextDecoder): string {
  try {
    return decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
  } catch {
    throw damaged('it is not UTF-8 text');
  }
}

function parseLine(line: string): Record<string, unknown> {
  try {
    const value = parseJson(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // told below
  }
  throw damaged('a line is cut or is no JSON');
}

function damaged(why: string): ConnectorError {
  return new ConnectorError('malformed', `Shopify’s listing of all products is not whole: ${why}`);
}
