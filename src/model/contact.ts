/** What a letter can be about, as the form offers it. */
export const CONTACT_TOPICS = ['general', 'technical', 'enterprise', 'billing', 'partnership', 'other'] as const;

export const CONTACT_NAME_MAX = 100;
export const CONTACT_MESSAGE_MAX = 5_000;
