export {
  type CustomResourceDefinition,
  type CustomResourceDefinitionVersion,
  customResourceDefinitions,
  type PrinterColumn,
} from './custom-resource-definition.ts'
export { type StructuralOptions, structuralSchemaOf } from './structural-schema.ts'
