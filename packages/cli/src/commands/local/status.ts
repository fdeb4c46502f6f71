export const localStatus = async (): Promise<0> => 0
