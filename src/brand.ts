export const BRAND = { name: 'Twinshelf', slug: 'twinshelf' } as const;
