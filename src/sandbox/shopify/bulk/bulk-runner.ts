import { execute } from 'graphql';
import type { WireError } from '../graphql/answer.ts';
import { type UserError, userError } from '../graphql/api-error.ts';
import { resolveField, resolveType } from '../graphql/resolve.ts';
import { prepareDocument, toWireError } from '../graphql/run-request.ts';
import { variableErrors } from '../graphql/variable-errors.ts';
import { loadSchema } from '../schema/load-schema.ts';
import type { RequestContext, SandboxState } from '../state.ts';
import { createChangeSet } from '../store/changes.ts';
import { gidOf } from '../store/ids.ts';
import type { BulkOperationRecord } from '../store/records.ts';
import { bulkPayload, timeWriter } from '../webhooks/payloads.ts';
import { bulkMutationErrors, bulkQueryErrors } from './bulk-rules.ts';
import { flattenRows } from './flatten.ts';

/** Bulk operations run beside the requests, a slice per timer tick, so that a large one does not hold up the rest. */

const RUNNING_MAX = 5;
const FILE_BYTES_MAX = 100 * 1024 * 1024;
const ROWS_PER_STEP = 250;
const LINES_PER_STEP = 50;

interface Started {
  readonly operation: BulkOperationRecord | null;
  readonly userErrors: readonly UserError[];
}

export interface BulkRunner {
  startQuery(query: string, apiVersion: string): Started;
  startMutation(
    args: { readonly mutation: string; readonly stagedUploadPath: string; readonly clientIdentifier?: string | null },
    apiVersion: string,
  ): Started;
  /** False when it is over already. */
  cancel(operation: BulkOperationRecord): boolean;
}

export function createBulkRunner(getState: () => SandboxState): BulkRunner {
  function begin(
    kind: BulkOperationRecord['kind'],
    query: string,
    work: (operation: BulkOperationRecord) => void,
  ): BulkOperationRecord {
    const { store, environment, config, schedule } = getState();
    const operation: BulkOperationRecord = {
      type: 'BulkOperation',
      id: store.newId('BulkOperation'),
      kind,
      query,
      status: 'CREATED',
      errorCode: null,
      createdAt: environment.now(),
      completedAt: null,
      objectCount: 0,
      rootObjectCount: 0,
      result: null,
    };
    store.bulkOperations.set(operation.id, operation);
    schedule(() => {
      if (operation.status !== 'CREATED') return;
      operation.status = 'RUNNING';
      work(operation);
    }, config.bulkDelayMs);
    return operation;
  }

  function busyError(kind: BulkOperationRecord['kind']): UserError | null {
    const running = [...getState().store.bulkOperations.values()].filter(
      (operation) => operation.kind === kind && ['CREATED', 'RUNNING', 'CANCELING'].includes(operation.status),
    );
    if (running.length < RUNNING_MAX) return null;
    const ids = running.map((operation) => gidOf('BulkOperation', operation.id)).join(', ');
    return userError(
      null,
      `A bulk ${kind.toLowerCase()} operation for this app and shop is already in progress: ${ids}.`,
      'OPERATION_IN_PROGRESS',
    );
  }

  function finish(
    operation: BulkOperationRecord,
    status: BulkOperationRecord['status'],
    chunks: readonly Buffer[],
    errorCode: string | null,
  ): void {
    const state = getState();
    operation.status = status;
    operation.errorCode = errorCode;
    operation.completedAt = state.environment.now();
    operation.result = chunks.length > 0 ? Buffer.concat(chunks) : null;
    const changes = createChangeSet();
    changes.announcements.push({
      topic: 'bulk_operations/finish',
      payload: bulkPayload(operation, timeWriter(state.config.shop.ianaTimezone)),
    });
    state.commit(changes);
  }

  /** One step after the other until the work says it is done, unless somebody cancels in between. */
  function runSteps(operation: BulkOperationRecord, chunks: Buffer[], step: () => Promise<'more' | 'done'>): void {
    const next = () => {
      if (operation.status === 'CANCELING') {
        finish(operation, 'CANCELED', chunks, null);
        return;
      }
      step().then(
        (result) => {
          if (result === 'more') getState().schedule(next, 0);
          else finish(operation, operation.status === 'CANCELING' ? 'CANCELED' : 'COMPLETED', chunks, null);
        },
        (error: unknown) =>
          finish(operation, 'FAILED', chunks, error instanceof BulkFailure ? error.code : 'INTERNAL_SERVER_ERROR'),
      );
    };
    next();
  }

  async function runDocument(
    text: string,
    apiVersion: string,
    variables: Record<string, unknown>,
    bulk: RequestContext['bulk'],
  ): Promise<{ data: unknown; errors: WireError[] }> {
    const state = getState();
    const ctx: RequestContext = { state, apiVersion, searchNotes: [], bulk };
    const result = await execute({
      schema: loadSchema().schema,
      document: prepareDocument(text).document,
      variableValues: variables,
      rootValue: {},
      contextValue: ctx,
      fieldResolver: resolveField,
      typeResolver: resolveType,
    });
    return { data: result.data ?? null, errors: result.errors?.map(toWireError) ?? [] };
  }

  return {
    startQuery(query, apiVersion) {
      const userErrors = bulkQueryErrors(query);
      const busy = userErrors.length === 0 ? busyError('QUERY') : null;
      if (busy) return { operation: null, userErrors: [busy] };
      if (userErrors.length > 0) return { operation: null, userErrors };
      const operation = begin('QUERY', query, (started) => {
        const chunks: Buffer[] = [];
        let from = 0;
        runSteps(started, chunks, async () => {
          const bulk = { from, to: from + ROWS_PER_STEP, rootTotal: 0 };
          const { data, errors } = await runDocument(query, apiVersion, {}, bulk);
          if (errors[0])
            throw new BulkFailure(
              errors[0].extensions?.['code'] === 'ACCESS_DENIED' ? 'ACCESS_DENIED' : 'INTERNAL_SERVER_ERROR',
            );
          const lines: string[] = [];
          flattenRows(data, (line, isRoot) => {
            lines.push(JSON.stringify(line));
            started.objectCount += 1;
            if (isRoot) started.rootObjectCount += 1;
          });
          if (lines.length > 0) chunks.push(Buffer.from(`${lines.join('\n')}\n`));
          from = bulk.to;
          return from < bulk.rootTotal ? 'more' : 'done';
        });
      });
      return { operation, userErrors: [] };
    },

    startMutation({ mutation, stagedUploadPath, clientIdentifier }, apiVersion) {
      const file = getState().uploads.get(stagedUploadPath) ?? null;
      const userErrors = [...bulkMutationErrors(mutation, clientIdentifier)];
      if (userErrors.length === 0) userErrors.push(...fileErrors(file));
      const busy = userErrors.length === 0 ? busyError('MUTATION') : null;
      if (busy) userErrors.push(busy);
      if (userErrors.length > 0 || !file) return { operation: null, userErrors };
      const operation = begin('MUTATION', mutation, (started) => {
        const chunks: Buffer[] = [];
        const lines = file.toString('utf8').split('\n');
        while (lines.at(-1)?.trim() === '') lines.pop();
        let at = 0;
        runSteps(started, chunks, async () => {
          for (const stop = Math.min(lines.length, at + LINES_PER_STEP); at < stop; at += 1) {
            const row = await runLine(mutation, apiVersion, lines[at] ?? '', runDocument);
            chunks.push(Buffer.from(`${JSON.stringify({ ...row, __lineNumber: at })}\n`));
            started.objectCount += 1;
            started.rootObjectCount += 1;
          }
          return at < lines.length ? 'more' : 'done';
        });
      });
      return { operation, userErrors: [] };
    },

    cancel(operation) {
      if (operation.status !== 'CREATED' && operation.status !== 'RUNNING') return false;
      const hadStarted = operation.status === 'RUNNING';
      operation.status = 'CANCELING';
      if (!hadStarted) getState().schedule(() => finish(operation, 'CANCELED', [], null), 0);
      return true;
    },
  };
}

class BulkFailure extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

function fileErrors(file: Buffer | null): UserError[] {
  if (!file) {
    return [
      userError(
        null,
        "The JSONL file could not be found. Try uploading the file again, and check that you've entered the URL correctly for the stagedUploadPath mutation argument.",
        'NO_SUCH_FILE',
      ),
    ];
  }
  if (file.length === 0) return [userError(null, 'The input file is empty.', 'INVALID_STAGED_UPLOAD_FILE')];
  if (file.length > FILE_BYTES_MAX)
    return [
      userError(null, 'The input file size exceeds the maximum allowed size of 100 MB.', 'INVALID_STAGED_UPLOAD_FILE'),
    ];
  return [];
}

async function runLine(
  mutation: string,
  apiVersion: string,
  line: string,
  run: (
    text: string,
    apiVersion: string,
    variables: Record<string, unknown>,
    bulk: null,
  ) => Promise<{ data: unknown; errors: WireError[] }>,
): Promise<Record<string, unknown>> {
  let variables: Record<string, unknown>;
  try {
    variables = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { errors: [{ message: 'Invalid JSON' }] };
  }
  const operation = prepareDocument(mutation).operations[0];
  const problems = operation ? variableErrors(loadSchema().schema, operation, variables) : [];
  if (problems.length > 0) return { errors: problems };
  const { data, errors } = await run(mutation, apiVersion, variables, null);
  return errors.length > 0 ? { data, errors } : { data };
}
