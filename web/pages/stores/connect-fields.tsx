import { Fragment } from 'react';
import { PasswordField, TextField } from '../../components/field.tsx';
import { Segmented } from '../../components/segmented.tsx';
import type { Side } from '../../components/side.ts';
import type { ConnectErrors, ConnectForm, ShopifyWay } from './connect-form.ts';
import css from './connect-sheet.module.css';
import { PUBLISHING_SCOPES, SHOPIFY_SCOPES } from './shopify-scopes.ts';

interface FieldsProps {
  readonly form: ConnectForm;
  readonly errors: ConnectErrors;
  readonly edit: (name: keyof ConnectForm, value: string) => void;
}

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

function NameField({ form, errors, edit }: FieldsProps) {
  return (
    <TextField
      label="Name"
      autoComplete="off"
      maxLength={120}
      placeholder="Northfold"
      value={form.name}
      error={errors.name}
      hint="What the store is called here."
      onChange={(event) => edit('name', event.target.value)}
    />
  );
}

interface AddressProps extends FieldsProps {
  readonly side: Side;
  readonly placeholder: string;
}

export function AddressField({ side, placeholder, form, errors, edit }: AddressProps) {
  const isSite = side === 'woocommerce';
  const name = isSite ? 'url' : 'shopDomain';
  return (
    <TextField
      {...PLAIN}
      label={isSite ? 'Store address' : 'Store domain'}
      {...(isSite ? { type: 'url' } : {})}
      inputMode="url"
      placeholder={placeholder}
      value={form[name]}
      error={errors[name]}
      onChange={(event) => edit(name, event.target.value)}
    />
  );
}

export function WooCommerceFields(props: FieldsProps) {
  return (
    <>
      <NameField {...props} />
      <AddressField {...props} side="woocommerce" placeholder="https://northfold.com" />
      <WooCommerceKeys {...props} />
    </>
  );
}

export function WooCommerceKeys({ form, errors, edit }: FieldsProps) {
  return (
    <>
      <TextField
        {...PLAIN}
        label="Consumer key"
        placeholder="ck_0123456789abcdef..."
        value={form.consumerKey}
        error={errors.consumerKey}
        hint="WooCommerce, Settings, Advanced, REST API. Choose Read/Write."
        onChange={(event) => edit('consumerKey', event.target.value)}
      />
      <PasswordField
        {...PLAIN}
        label="Consumer secret"
        placeholder="cs_0123456789abcdef..."
        value={form.consumerSecret}
        error={errors.consumerSecret}
        hint="Stored encrypted. We never show it again."
        onChange={(event) => edit('consumerSecret', event.target.value)}
      />
    </>
  );
}

export function ShopifyFields(props: FieldsProps) {
  return (
    <>
      <NameField {...props} />
      <AddressField {...props} side="shopify" placeholder="northfold.myshopify.com" />
      <ShopifyKeys
        {...props}
        secretHint="Proves that webhooks come from Shopify. Without it changes are found by polling."
      />
    </>
  );
}

interface ShopifyKeysProps extends FieldsProps {
  readonly secretHint: string;
}

function Scopes({ names }: { readonly names: readonly string[] }) {
  return names.map((name, at) => (
    <Fragment key={name}>
      {at > 0 && ', '}
      <code>{name}</code>
    </Fragment>
  ));
}

export function ShopifyKeys({ form, errors, edit, secretHint }: ShopifyKeysProps) {
  return (
    <>
      <Segmented<ShopifyWay>
        label="How to sign in to Shopify"
        value={form.way}
        options={[
          { value: 'token', label: 'Admin API token' },
          { value: 'client', label: 'App credentials' },
        ]}
        onChange={(way) => edit('way', way)}
      />
      <p className={css.scopes}>
        The app needs the scopes <Scopes names={SHOPIFY_SCOPES} />. To show new products in the online store also{' '}
        <Scopes names={PUBLISHING_SCOPES} />.
      </p>
      {form.way === 'token' ? (
        <>
          <PasswordField
            {...PLAIN}
            label="Admin API access token"
            placeholder="shpat_..."
            value={form.accessToken}
            error={errors.accessToken}
            hint="Stored encrypted. We never show it again."
            onChange={(event) => edit('accessToken', event.target.value)}
          />
          <PasswordField
            {...PLAIN}
            label="API secret"
            optional
            value={form.apiSecret}
            error={errors.apiSecret}
            hint={secretHint}
            onChange={(event) => edit('apiSecret', event.target.value)}
          />
        </>
      ) : (
        <>
          <TextField
            {...PLAIN}
            label="Client id"
            value={form.clientId}
            error={errors.clientId}
            hint="Works where the app and the store belong to one organisation."
            onChange={(event) => edit('clientId', event.target.value)}
          />
          <PasswordField
            {...PLAIN}
            label="Client secret"
            value={form.clientSecret}
            error={errors.clientSecret}
            hint="Stored encrypted. We never show it again."
            onChange={(event) => edit('clientSecret', event.target.value)}
          />
        </>
      )}
    </>
  );
}
