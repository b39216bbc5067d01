import type { ProductSnapshot } from '../../model/snapshot.ts';
import type { NewVariant, ProductWrite } from '../../ports/connector.ts';
import type { Operation } from './fault-plan.ts';
import type { Handling, MemoryPlatform } from './platform.ts';
import { checkUpdate, createProduct, updateProduct, writeVariants } from './server.ts';

export interface StepResult {
  readonly id: string;
  readonly newVariantIds: readonly string[];
  readonly snapshot: ProductSnapshot | null;
}

interface Step {
  readonly operation: Operation;
  run(before: StepResult, handling: Handling): Omit<StepResult, 'snapshot'>;
}

/** The requests that a write takes on this platform. */
export function stepsOf(write: ProductWrite, shop: MemoryPlatform): readonly Step[] {
  const variantsStep = (newVariants: readonly NewVariant[]): Step => ({
    operation: 'write_variants',
    run: ({ id }, handling) => {
      const { variants, archiveVariants } = write.type === 'update' ? write : { variants: [], archiveVariants: [] };
      const input = { externalId: id, variants, newVariants, archiveVariants };
      return { id, newVariantIds: writeVariants(shop, input, handling) };
    },
  });
  if (write.type === 'create') {
    // A product without options is one record on every platform; the others take a second request for their variants where the platform wants one.
    const isSplit = shop.personality.splitWrites && write.fields.optionNames.length > 0;
    const create: Step = {
      operation: 'create_product',
      run: (_before, handling) => {
        const { id, variantIds } = createProduct(shop, isSplit ? { ...write, variants: [] } : write, handling);
        return { id, newVariantIds: variantIds };
      },
    };
    return isSplit ? [create, variantsStep(write.variants)] : [create];
  }
  const hasVariants = write.variants.length + write.newVariants.length + write.archiveVariants.length > 0;
  const hasFields = Object.keys(write.fields).length > 0 || write.mark !== undefined;
  const fieldsStep: Step = {
    operation: 'update_product',
    run: ({ id, newVariantIds }, handling) => {
      updateProduct(shop, write, handling);
      return { id, newVariantIds };
    },
  };
  if (hasFields && !hasVariants) return [fieldsStep];
  if (hasVariants && !hasFields) return [variantsStep(write.newVariants)];
  if (shop.personality.splitWrites) return [fieldsStep, variantsStep(write.newVariants)];
  // One request for both: one moment of landing.
  const both = variantsStep(write.newVariants);
  return [
    {
      operation: 'update_product',
      run: (before, handling) => {
        // Checked first: once the variants are written nothing may refuse the rest.
        checkUpdate(shop, write);
        const after = both.run(before, handling);
        updateProduct(shop, write, handling);
        return after;
      },
    },
  ];
}
