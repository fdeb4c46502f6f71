export const localDown = async (): Promise<0> => 0
