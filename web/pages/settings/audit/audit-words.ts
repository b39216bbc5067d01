import type { AuditEntry } from '../../../api/audit.ts';
import { beginSentence } from '../../../hooks/sentence.ts';

/** What the log calls things, in words that follow a name: "Ida Berg created the API token …". */
export const ACTION_WORDS: Readonly<Record<string, string>> = {
  'account.created': 'created an account',
  'account.updated': 'changed their profile',
  'account.deleted': 'deleted their account',
  'account.password_changed': 'changed their password',
  'account.password_reset': 'set a new password by email',
  'account.email_verified': 'confirmed their email address',
  'account.email_changed': 'changed their email address',
  'account.two_factor_enabled': 'turned two-factor sign-in on',
  'account.two_factor_disabled': 'turned two-factor sign-in off',
  'account.two_factor_reset': 'turned two-factor sign-in off for',
  'account.recovery_codes_renewed': 'renewed their recovery codes',
  'account.identity_connected': 'connected another way to sign in',
  'account.identity_disconnected': 'disconnected another way to sign in',
  'alerts.changed': 'changed the alerts',
  'api_token.created': 'created the API token',
  'api_token.regenerated': 'regenerated the API token',
  'api_token.revoked': 'revoked the API token',
  'conflict.settled': 'resolved a conflict',
  'demo_data.loaded': 'added the demo data',
  'demo_data.removed': 'removed the demo data',
  'endpoint.changed': 'changed the webhook endpoint',
  'endpoint.created': 'added the webhook endpoint',
  'endpoint.deleted': 'deleted the webhook endpoint',
  'endpoint.message_replayed': 'sent a message again to the webhook endpoint',
  'endpoint.secret_rotated': 'made a new secret for the webhook endpoint',
  'endpoint.tested': 'tested the webhook endpoint',
  'instance.backup_made': 'made the backup',
  'instance.email_read': 'read the kept email to',
  'instance.role_changed': 'changed the instance role of',
  'invitation.accepted': 'accepted an invitation',
  'invitation.revoked': 'withdrew an invitation',
  'invitation.sent': 'sent an invitation to',
  'member.left': 'left the workspace',
  'member.removed': 'removed the member',
  'member.role_changed': 'changed the role of',
  'pair.changed': 'changed the settings of the pair',
  'pair.created': 'created the pair',
  'pair.deleted': 'removed the pair',
  'pair.paused': 'paused the pair',
  'pair.resumed': 'resumed the pair',
  'plan.applied': 'applied a plan',
  'plan.discarded': 'discarded a plan',
  'plan.requested': 'asked for a plan of the pair',
  'problem.retried': 'had a problem tried again',
  'session.closed': 'signed out',
  'session.ended': 'signed out another device',
  'session.opened': 'signed in',
  'session.others_ended': 'signed out all other devices',
  'stock.counted': 'entered a count of the record',
  'store.changed': 'changed the store',
  'store.connected': 'connected the store',
  'store.disconnected': 'disconnected the store',
  'store.keys_renewed': 'gave new keys for the store',
  'store.moved': 'changed the address of the store',
  'store.tested': 'tested the store',
  'store.webhook_secret_rotated': 'made a new webhook secret for the store',
  'sync.cancelled': 'cancelled a sync',
  'sync.requested': 'started a sync',
  'workspace.created': 'created the workspace',
  'workspace.deleted': 'deleted the workspace',
  'workspace.renamed': 'renamed the workspace',
};

/** What is done with a thing whose name is part of the sentence: without the name it says at least which by its id. */
const NAMES_ITS_TARGET =
  /^(api_token|endpoint|pair|store|member)\.|^(instance\.(backup_made|email_read|role_changed)|invitation\.sent|stock\.counted|plan\.requested|account\.two_factor_reset)$/;

export type Names = ReadonlyMap<string, string>;

/** On the server itself, by a command: nobody was signed in. */
const BY_COMMAND = 'account.two_factor_reset';

/** Who did it. An API token acts for the person who made it. */
export function actorOf({ actorName, action }: Pick<AuditEntry, 'actorName' | 'action'>): string {
  if (actorName !== '') return actorName;
  return action === BY_COMMAND ? 'A command on the server' : 'Somebody whose account is gone';
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** What was done, and to what: the name that it has now, or had when it was done. */
export function deedOf(
  { action, target, change, actorId }: Pick<AuditEntry, 'action' | 'target' | 'change' | 'actorId'>,
  names: Names,
): { readonly words: string; readonly target: string | null; readonly how: string } {
  const words = ACTION_WORDS[action] ?? action.replaceAll(/[._]/g, ' ');
  const [from, to] = [text(change['from']), text(change['to'])];
  const how = from === null || to === null ? '' : `from ${from} to ${to}`;
  if (!NAMES_ITS_TARGET.test(action) || target === null) return { words, target: null, how };
  // Who left speaks for themselves.
  if (action === 'member.left' && target === actorId) return { words, target: null, how };
  if (action === 'invitation.sent' || action === 'instance.email_read')
    return { words, target: text(change['email']), how };
  return { words, target: text(change['name']) ?? names.get(target) ?? target, how };
}

const FIELD_LABEL: Readonly<Record<string, string>> = {
  email: 'Email',
  expiresInDays: 'Good for',
  fields: 'Fields',
  how: 'How',
  name: 'Name',
  role: 'Role',
  scope: 'Scope',
};

function valueWords(field: string, value: unknown): string {
  if (field === 'expiresInDays') return value === null ? 'until it is revoked' : `${String(value)} days`;
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (value === null || value === '') return 'Nothing';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What the log keeps of the change, line by line; `from` and `to` stand side by side. */
export function changeLines(
  change: AuditEntry['change'],
): readonly { readonly label: string; readonly before?: string; readonly value: string }[] {
  const { from, to, ...rest } = change;
  const moved = to === undefined ? [] : [{ label: 'Changed', before: valueWords('', from), value: valueWords('', to) }];
  const others = Object.entries(rest).map(([field, value]) => ({
    label: FIELD_LABEL[field] ?? beginSentence(field.replaceAll('_', ' ')),
    value: valueWords(field, value),
  }));
  return [...moved, ...others];
}
