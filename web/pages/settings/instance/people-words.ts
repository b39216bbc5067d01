import type { InstancePerson } from '../../../api/instance-owner.ts';

export const INSTANCE_ROLE_LABEL: Readonly<Record<InstancePerson['role'], string>> = {
  user: 'User',
  admin: 'Administrator',
};

export const LAST_ADMIN = 'An instance needs an administrator. Make somebody else one first.';

type Role = Pick<InstancePerson, 'role'>;

/** Why somebody's role can not be changed; null: it can. */
export function whyNotRole({ role }: Role, people: readonly Role[]): string | null {
  const isLast = role === 'admin' && people.filter((one) => one.role === 'admin').length === 1;
  return isLast ? LAST_ADMIN : null;
}

/** Who has what was typed in their name or address: every word of it. */
export function matchPeople<Person extends Pick<InstancePerson, 'name' | 'email'>>(
  people: readonly Person[],
  typed: string,
): readonly Person[] {
  const words = typed.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return people.filter(({ name, email }) => {
    const text = `${name} ${email}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export interface RoleChange {
  readonly title: string;
  /** What comes of it, one sentence each. */
  readonly consequences: readonly string[];
  readonly verb: string;
  readonly done: string;
}

/** What it means to make somebody an administrator, or no longer one. */
export function roleChange({ name, role }: Pick<InstancePerson, 'name' | 'role'>, isYou: boolean): RoleChange {
  if (role === 'user')
    return {
      title: `Make ${name} an administrator?`,
      consequences: [
        `${name} will see who has an account here, the emails that are kept with the links in them, and what was done with accounts.`,
        'They can make others administrators, take that back from you as well, and invite people who have no account yet.',
        'What they may do in workspaces does not change.',
      ],
      verb: 'Make administrator',
      done: `${name} is an administrator of this instance now.`,
    };
  return isYou
    ? {
        title: 'Give up being an administrator?',
        consequences: [
          'You will no longer see the people, the outbox and the log of this instance.',
          'You can not take this back yourself: another administrator has to.',
          'Your account, and what you may do in workspaces, do not change.',
        ],
        verb: 'Give it up',
        done: 'You are no longer an administrator of this instance.',
      }
    : {
        title: `Take the role of administrator from ${name}?`,
        consequences: [
          `${name} will no longer see the people, the outbox and the log of this instance.`,
          'Their account, and what they may do in workspaces, do not change.',
        ],
        verb: 'Take the role',
        done: `${name} is no longer an administrator of this instance.`,
      };
}
