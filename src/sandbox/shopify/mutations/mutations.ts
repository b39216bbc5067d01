import { bulkOperationCancel, bulkOperationRunMutation, bulkOperationRunQuery } from './bulk-mutations.ts';
import { inventoryActivate, inventoryDeactivate, inventoryItemUpdate } from './inventory-activate.ts';
import { inventoryAdjustQuantities } from './inventory-adjust.ts';
import { inventorySetQuantities } from './inventory-set.ts';
import { metafieldDefinitionCreate, metafieldsDelete, metafieldsSet } from './metafield-mutations.ts';
import { productChangeStatus, productCreate, productDelete, productUpdate } from './product-edit.ts';
import { productOptionsCreate, productOptionsReorder, productOptionUpdate } from './product-options.ts';
import { productSet } from './product-set.ts';
import { publishablePublish, publishableUnpublish } from './publish-mutations.ts';
import type { Mutation } from './run-mutation.ts';
import { stagedUploadsCreate } from './staged-uploads.ts';
import { tagsAdd, tagsRemove } from './tag-mutations.ts';
import { productVariantsBulkCreate, productVariantsBulkUpdate } from './variants-bulk.ts';
import { productVariantsBulkDelete } from './variants-bulk-delete.ts';
import {
  webhookSubscriptionCreate,
  webhookSubscriptionDelete,
  webhookSubscriptionUpdate,
} from './webhook-mutations.ts';

/** Every mutation the sandbox stands behind. The others of the schema are refused as not supported. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  bulkOperationCancel,
  bulkOperationRunMutation,
  bulkOperationRunQuery,
  inventoryActivate,
  inventoryAdjustQuantities,
  inventoryDeactivate,
  inventoryItemUpdate,
  inventorySetQuantities,
  metafieldDefinitionCreate,
  metafieldsDelete,
  metafieldsSet,
  productChangeStatus,
  productCreate,
  productDelete,
  productOptionUpdate,
  productOptionsCreate,
  productOptionsReorder,
  productSet,
  productUpdate,
  productVariantsBulkCreate,
  productVariantsBulkDelete,
  productVariantsBulkUpdate,
  publishablePublish,
  publishableUnpublish,
  stagedUploadsCreate,
  tagsAdd,
  tagsRemove,
  webhookSubscriptionCreate,
  webhookSubscriptionDelete,
  webhookSubscriptionUpdate,
};
