import { randomUUID } from 'node:crypto';
import { type UserError, userError } from '../graphql/api-error.ts';
import type { Mutation } from './run-mutation.ts';

interface StagedInput {
  readonly resource: string;
  readonly filename: string;
  readonly mimeType: string;
  readonly httpMethod?: 'POST' | 'PUT' | null;
}

export const UPLOAD_PATH = '/__storage/upload';

/** Facts, section 10: the form fields go in the order given, then the file; `key` is the stagedUploadPath of a bulk mutation. */
export const stagedUploadsCreate: Mutation = {
  run(args: { readonly input: readonly StagedInput[] }, ctx) {
    const userErrors: UserError[] = [];
    const stagedTargets = args.input.map((input, index) => {
      const isBulk = input.resource === 'BULK_MUTATION_VARIABLES';
      if (isBulk && input.mimeType !== 'text/jsonl')
        userErrors.push(userError(['input', index, 'mimeType'], `${input.mimeType} is not a recognized format`));
      if (isBulk && input.httpMethod !== 'POST')
        userErrors.push(userError(['input', index, 'httpMethod'], 'PUT is not supported for this resource'));
      const key = `tmp/${ctx.state.config.shopDomain.split('.')[0]}/${isBulk ? 'bulk' : 'files'}/${randomUUID()}/${input.filename}`;
      ctx.state.uploads.set(key, null);
      const fields: Record<string, string> = {
        key,
        'Content-Type': input.mimeType,
        success_action_status: '201',
        acl: 'private',
        policy: Buffer.from(key).toString('base64'),
        'x-goog-signature': randomUUID().replace(/-/g, ''),
      };
      return {
        url: `${ctx.state.origin()}${UPLOAD_PATH}`,
        resourceUrl: isBulk ? null : `${ctx.state.origin()}${UPLOAD_PATH}/${key}`,
        parameters: Object.entries(fields).map(([name, value]) => ({ name, value })),
      };
    });
    return userErrors.length > 0 ? { stagedTargets: null, userErrors } : { stagedTargets, userErrors: [] };
  },
};
