import { ConnectorError } from '../../model/connector-error.ts';
import { gidType } from './gid.ts';
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

interface OpenProduct {
  readonly product: ProductLine;
  readonly variants: VariantRow[];
  readonly media: MediaNode[];
  readonly marks: MarkNode[];
}

/**
 * The products of a bulk file, one at a time: only the one that is being read is held. The file is asked for with `groupObjects`, so children follow
 * their product; one that doesn't is an error rather than a loss. At the end the bytes, the products and the lines are compared with what the
 * operation counted: a file cut short throws [C20].
 */
export async function* readBulkProducts(
  chunks: AsyncIterable<Uint8Array>,
  operation: Pick<BulkOperation, 'fileSize' | 'objectCount' | 'rootObjectCount'>,
): AsyncGenerator<ProductParts> {
  const count = { bytes: 0, lines: 0, products: 0 };
  let open: OpenProduct | null = null;
  for await (const line of linesOf(chunks, count)) {
    count.lines += 1;
    const value = parseLine(line);
    const parentId = value['__parentId'];
    if (parentId === undefined) {
      if (open !== null) yield open;
      count.products += 1;
      open = { product: checked(value, ProductLineShape), variants: [], media: [], marks: [] };
    } else {
      if (open === null || open.product.id !== parentId) throw damaged('its lines are out of order');
      addChild(open, value);
    }
  }
  verify(operation, count);
  if (open !== null) yield open;
}

function addChild(open: OpenProduct, value: Record<string, unknown>): void {
  const type = gidType(String(value['id'] ?? ''));
  if (type === 'ProductVariant') open.variants.push(checked(value, VariantRowShape));
  else if (type === 'Metafield') open.marks.push(checked(value, MarkNodeShape));
  else if (open.media.length === 0) open.media.push(checked(value, MediaLineShape)); // the first is all that lists show
}

function checked<T>(value: Record<string, unknown>, shape: Shape<T>): T {
  const mismatch = shape.mismatch(value);
  if (mismatch !== null) throw damaged(`a line could not be understood: ${mismatch}`);
  return value as T;
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
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // told below
  }
  throw damaged('a line is cut or is no JSON');
}

function damaged(why: string): ConnectorError {
  return new ConnectorError('malformed', `Shopify’s listing of all products is not whole: ${why}`);
}
