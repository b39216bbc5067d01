import { toText } from './decimal.ts';
import { isObject, type Json, type JsonObject, type Params } from './json.ts';
import { RestError } from './rest-error.ts';
import { EDITABLE, ok, type RestResponse, type Route } from './rest-types.ts';
import type { Site } from './site.ts';

type Setting = JsonObject & { id: string; value: Json };
interface SettingsFile {
  readonly groups: JsonObject[];
  readonly general: Setting[];
  readonly products: Setting[];
  readonly tax: Setting[];
}

let file: Promise<{ settings: string; status: string }> | undefined;

/** The answers of a real store, with `{site}` where its address stood, and without the words that its screens show beside a setting. */
function loadFile(): Promise<{ settings: string; status: string }> {
  file ??= Promise.all([
    import('./fixtures/settings.json', { with: { type: 'json' } }),
    import('./fixtures/system-status.json', { with: { type: 'json' } }),
  ]).then(([settings, status]) => ({
    settings: JSON.stringify(settings.default),
    status: JSON.stringify(status.default),
  }));
  return file;
}

const SUPPORTED = ['general', 'products', 'tax'] as const;

export function settingsRoutes(site: Site): Route[] {
  return [
    { path: '/system_status', methods: ['GET'], access: 'list', handle: () => systemStatus(site) },
    { path: '/settings', methods: ['GET'], access: 'list', handle: async () => ok((await load(site)).groups) },
    { path: '/settings/<group_id>', methods: ['GET'], access: 'list', handle: ({ params }) => listGroup(site, params) },
    {
      path: '/settings/<group_id>/<id>',
      methods: ['GET'],
      access: 'list',
      handle: ({ params }) => readOne(site, params),
    },
    {
      path: '/settings/<group_id>/<id>',
      methods: EDITABLE,
      access: 'edit',
      handle: ({ params }) => change(site, params),
    },
    { path: '/data', methods: ['GET'], access: 'list', handle: () => ok(dataIndex(site)) },
    { path: '/data/currencies', methods: ['GET'], access: 'list', handle: async () => ok(await currencies(site)) },
    {
      path: '/data/currencies/<currency>',
      methods: ['GET'],
      access: 'read',
      handle: ({ params }) => currency(site, toText(params['currency'])),
    },
  ];
}

async function load(site: Site): Promise<SettingsFile> {
  const { settings } = await loadFile();
  const found = JSON.parse(settings.replaceAll('{site}', site.url(''))) as SettingsFile;
  const yes = (flag: boolean): string => (flag ? 'yes' : 'no');
  const values: Record<string, Json> = {
    woocommerce_currency: site.settings.currency,
    woocommerce_calc_taxes: yes(site.settings.calcTaxes),
    woocommerce_price_decimal_sep: site.settings.decimalSeparator,
    woocommerce_price_num_decimals: String(site.settings.priceDecimals),
    woocommerce_weight_unit: site.settings.weightUnit,
    woocommerce_manage_stock: yes(site.settings.manageStock),
    woocommerce_prices_include_tax: yes(site.settings.pricesIncludeTax),
  };
  for (const group of SUPPORTED) {
    for (const setting of found[group]) setting.value = values[setting.id] ?? setting.value;
  }
  return found;
}

async function groupOf(site: Site, params: Params): Promise<Setting[]> {
  const name = SUPPORTED.find((group) => group === params['group_id']);
  if (!name) throw new RestError('rest_setting_setting_group_invalid', 'Invalid setting group.', 404);
  return (await load(site))[name];
}

async function listGroup(site: Site, params: Params): Promise<RestResponse> {
  return ok(await groupOf(site, params));
}

async function readOne(site: Site, params: Params): Promise<RestResponse> {
  const setting = (await groupOf(site, params)).find((item) => item.id === params['id']);
  if (!setting) throw new RestError('rest_setting_setting_invalid', 'Invalid setting.', 404);
  return ok({ ...setting, group_id: params['group_id'] ?? '' });
}

/** Only the settings that change how this store behaves can be written; the rest is refused, not pretended. */
async function change(site: Site, params: Params): Promise<RestResponse> {
  const setting = (await groupOf(site, params)).find((item) => item.id === params['id']);
  const value = toText(params['value']);
  const invalid = new RestError('rest_setting_value_invalid', 'An invalid setting value was passed.', 400);
  if (!setting) throw new RestError('rest_setting_setting_invalid', 'Invalid setting.', 404);
  if (isObject(setting['options']) && !(value in setting['options'])) throw invalid;
  if (setting['type'] === 'checkbox' && !['yes', 'no'].includes(value)) throw invalid;
  const { settings } = site;
  if (setting.id === 'woocommerce_currency') settings.currency = value;
  else if (setting.id === 'woocommerce_calc_taxes') settings.calcTaxes = value === 'yes';
  else if (setting.id === 'woocommerce_price_decimal_sep') settings.decimalSeparator = value;
  else if (setting.id === 'woocommerce_weight_unit') settings.weightUnit = value;
  else if (setting.id === 'woocommerce_manage_stock') settings.manageStock = value === 'yes';
  else if (setting.id === 'woocommerce_prices_include_tax') settings.pricesIncludeTax = value === 'yes';
  else throw new RestError('sandbox_setting_fixed', `The sandbox cannot change ${setting.id}.`, 501);
  return readOne(site, params);
}

async function systemStatus(site: Site): Promise<RestResponse> {
  const { status } = await loadFile();
  const { settings } = site;
  const found = JSON.parse(status.replaceAll('{site}', site.url(''))) as JsonObject;
  const merge = (key: string, change: JsonObject): void => {
    const old = found[key];
    found[key] = { ...(isObject(old) ? old : {}), ...change };
  };
  merge('environment', { version: settings.version, wp_version: settings.wpVersion });
  merge('database', { wc_database_version: settings.version });
  merge('settings', { currency: settings.currency, decimal_separator: settings.decimalSeparator });
  const plugins = found['active_plugins'];
  found['active_plugins'] = (Array.isArray(plugins) ? plugins : []).map((plugin) =>
    isObject(plugin) ? { ...plugin, version: settings.version, version_latest: settings.version } : plugin,
  );
  return ok(found);
}

function dataIndex(site: Site): JsonObject[] {
  const entry = (slug: string, description: string): JsonObject => ({
    slug,
    description,
    _links: { self: [{ href: site.restUrl(`/wc/v3/data/${slug}`) }] },
  });
  return [entry('currencies', 'List of supported currencies.')];
}

/** The names and symbols stand in the options of the currency setting: "Euro (&euro;) — EUR". */
async function currencies(site: Site): Promise<JsonObject[]> {
  const options = (await load(site)).general.find((setting) => setting.id === 'woocommerce_currency')?.['options'];
  return Object.entries(isObject(options) ? options : {}).map(([code, label]) => {
    const [, name = code, symbol = ''] = /^(.*) \((.*?)\)(?: .*)?$/.exec(toText(label)) ?? [];
    return {
      code,
      name,
      symbol,
      _links: {
        self: [{ href: site.restUrl(`/wc/v3/data/currencies/${code}`) }],
        collection: [{ href: site.restUrl('/wc/v3/data/currencies') }],
      },
    };
  });
}

async function currency(site: Site, name: string): Promise<RestResponse> {
  const code = name === 'current' ? site.settings.currency : name.toUpperCase();
  const found = (await currencies(site)).find((item) => item['code'] === code);
  if (!found)
    throw new RestError(
      'woocommerce_rest_data_invalid_currency',
      'There are no currencies matching these parameters.',
      404,
    );
  return ok(found);
}
