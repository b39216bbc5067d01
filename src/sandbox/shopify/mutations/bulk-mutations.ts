import { userError } from '../graphql/api-error.ts';
import { idOfKind } from '../store/ids.ts';
import type { Mutation } from './run-mutation.ts';

export const bulkOperationRunQuery: Mutation = {
  run(args: { readonly query: string }, ctx) {
    const { operation, userErrors } = ctx.state.bulk.startQuery(args.query, ctx.apiVersion);
    return { bulkOperation: operation, userErrors };
  },
};

export const bulkOperationRunMutation: Mutation = {
  run(
    args: { readonly mutation: string; readonly stagedUploadPath: string; readonly clientIdentifier?: string | null },
    ctx,
  ) {
    const { operation, userErrors } = ctx.state.bulk.startMutation(args, ctx.apiVersion);
    return { bulkOperation: operation, userErrors };
  },
};

export const bulkOperationCancel: Mutation = {
  run(args: { readonly id: string }, ctx) {
    const operation = ctx.store.bulkOperations.get(idOfKind('BulkOperation', args.id));
    if (!operation) return { bulkOperation: null, userErrors: [userError(['id'], 'Bulk operation does not exist')] };
    if (!ctx.state.bulk.cancel(operation)) {
      return {
        bulkOperation: operation,
        userErrors: [
          userError(null, `A bulk operation cannot be canceled when it is ${operation.status.toLowerCase()}`),
        ],
      };
    }
    return { bulkOperation: operation, userErrors: [] };
  },
};
