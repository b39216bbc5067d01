import { COMMANDS, isCommand, isRemote, refuseArguments } from './app/commands.ts';
import { BRAND } from './brand.ts';
import { StartupError } from './lib/startup-error.ts';

const USAGE = `Usage: ${BRAND.slug} [command]

  serve            run the server (default)
  migrate          bring the database to this version's schema, and stop
  backup [file]    copy the database while it is in use, and prove the copy
  restore <file>   put a backup in place; the present database is kept in DATA_DIR/backups
  rotate-key       seal everything with a new encryption key; the server has to be stopped
  reset-2fa <email>  turn two-factor sign-in off for who lost phone and recovery codes (the server may run)
  outbox [id]      list the emails that wait, or read one (the server may run)
  doctor           look at the settings, the data directory, the database and its key
  messages [n]     print what people wrote in the contact form, newest first
  newsletter       print who agreed to the newsletter, as CSV (the server may run)
  version          print the version

Of a running server, with API_TOKEN (and API_URL, when it is not on this machine); "--json" prints whole replies:

  stores           list · test <store>
  pairs            list · plan <pair> · show-plan <plan> · apply <plan> <hash> · pause <pair> · resume <pair>
  sync             now <pair> · status <run> · cancel <run> · history
  conflicts        list · resolve <conflict> <version> <woocommerce|shopify|agreed>
  problems         list · retry <problem>
  records          list
`;

/** Runs one command. The process ends by itself when nothing is left to do; it is never cut short. */
async function main(args: readonly string[]): Promise<void> {
  const [name = 'serve', ...rest] = args;
  const asksHelp = args.some((arg) => arg === '--help' || arg === '-h');
  if (name === 'help' || (asksHelp && !isRemote(name))) {
    console.log(USAGE);
    return;
  }
  const command = name === '--version' || name === '-v' ? 'version' : name;
  if (!isCommand(command)) throw new StartupError(`There is no command "${name}".`, USAGE);
  refuseArguments(command, rest, USAGE);
  await COMMANDS[command](rest);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof StartupError) console.error(`${error.message}\n${error.remedy}`);
  else console.error(error);
  process.exitCode = 1;
});
