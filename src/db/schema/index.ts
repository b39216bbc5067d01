// drizzle wants one module that names every table; nothing else imports through here.
export * from './account.ts';
export * from './alert.ts';
export * from './contact-message.ts';
export * from './endpoint.ts';
export * from './history.ts';
export * from './machinery.ts';
export * from './pair.ts';
export * from './product.ts';
export * from './run.ts';
export * from './session.ts';
export * from './store.ts';
export * from './usage.ts';
export * from './user.ts';
export * from './workspace.ts';
