import type { Attributes, Model, ModelAttributes, ModelOptions, ModelStatic, Sequelize } from 'sequelize'

/** Sequelize completes the attributes in place: each pool gets its own. */
const copied = <M extends Model>(attributes: ModelAttributes<M, Attributes<M>>) =>
  Object.fromEntries(
    Object.entries<object | string>(attributes).map(([name, each]) => [
      name,
      typeof each === 'object' && Object.getPrototypeOf(each) === Object.prototype ? { ...each } : each,
    ]),
  ) as ModelAttributes<M, Attributes<M>>

/** A model with columns in snake case. @returns the model of a pool, which is defined at its first use */
export const defineModel =
  <M extends Model>(name: string, attributes: ModelAttributes<M, Attributes<M>>, options: ModelOptions<M>) =>
  (sequelize: Sequelize): ModelStatic<M> =>
    (sequelize.models[name] as ModelStatic<M> | undefined) ??
    sequelize.define<M>(name, copied(attributes), { ...options, underscored: true })
