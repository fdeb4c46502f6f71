export const localUp = async (): Promise<0> => 0
