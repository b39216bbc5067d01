export { BRAND } from '../../src/brand.ts';
